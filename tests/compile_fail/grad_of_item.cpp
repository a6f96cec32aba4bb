// expect: ricci: the function of a derivative returns a plain number, which depends on no argument: keep values as auto
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto f = [](auto a) { return a(0) * a(1); };
#else
    const auto f = [](auto a) { return a(0).item() * a(1).item(); };
#endif
    (void)ricci::grad(f)(x);
}
