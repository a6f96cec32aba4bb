// expect: ricci: a seed makes a generator
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>((x + ricci::randn({2, 2}, ricci::generator(42))).size());
#else
    return static_cast<int>((x + ricci::randn({2, 2}, 42)).size());
#endif
}
