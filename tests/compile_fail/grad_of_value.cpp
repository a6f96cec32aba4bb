// expect: ricci: a transform takes a function, not a value of it
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::grad([](auto v) { return sum(v * v); })(x);
#else
    const auto y = ricci::grad(ricci::sum(x * x))(x);
#endif
    return static_cast<int>(sizeof y);
}
