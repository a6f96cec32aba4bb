// expect: ricci: vmap cannot map over a scalar argument: use none
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    const auto f = [](auto a, auto b) { return a * b; };
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::vmap(f, ricci::in_axes(0, ricci::none))(x, 2.0).size());
#else
    return static_cast<int>(ricci::vmap(f)(x, 2.0).size());
#endif
}
