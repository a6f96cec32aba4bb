// expect: ricci: grad takes functions with a scalar result
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::grad([](auto a) { return sum(a * a); })(x).size());
#else
    return static_cast<int>(ricci::grad([](auto a) { return a * a; })(x).size());
#endif
}
