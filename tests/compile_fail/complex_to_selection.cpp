// expect: ricci: complex numbers do not fit into an array of real ones: take real.z., imag.z. or abs.z.
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 1> x{1, 0, 3};
    const ricci::tensor<std::complex<double>, 1> z{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    x({0, 1}) = real(z);
#else
    x({0, 1}) = z;
#endif
    return static_cast<int>(x(1)) - 3;
}
