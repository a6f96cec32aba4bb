// expect: ricci: in_axes takes an integer, or none, for each argument
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::vmap([](auto a) { return a * a; }, ricci::in_axes(0))(x).size());
#else
    return static_cast<int>(ricci::vmap([](auto a) { return a * a; }, ricci::in_axes(0.0))(x).size());
#endif
}
