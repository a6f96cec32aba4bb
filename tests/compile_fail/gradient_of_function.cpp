// expect only: ricci: gradient\(y\) is of samples, numpy\.gradient; that of a function is grad\(f\)\(x\)
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
    const auto f = [](auto v) { return sum(v * v); };
#ifdef RICCI_FIXED
    (void)ricci::gradient(x);
    (void)ricci::grad(f)(x);
#else
    (void)ricci::gradient(f)(x);
#endif
}
