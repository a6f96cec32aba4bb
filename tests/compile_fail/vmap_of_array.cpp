// expect only: ricci: a transform takes a function, not a value of it
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    const auto y = ricci::vmap([](auto p) { return p * p; })(x);
#else
    const auto y = ricci::vmap(x);
#endif
    return static_cast<int>(sizeof y);
}
