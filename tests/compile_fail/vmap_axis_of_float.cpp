// expect: ricci: vmap takes the axis as an integer
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::vmap([](auto a) { return a * a; }, 0)(x).size());
#else
    return static_cast<int>(ricci::vmap([](auto a) { return a * a; }, 0.0)(x).size());
#endif
}
