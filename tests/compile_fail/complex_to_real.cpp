// expect: ricci: complex numbers do not fit into an array of real ones: take real.z., imag.z. or abs.z.
#include <ricci/ricci.hpp>

int main() {
    const auto spectrum = ricci::fft::fft(ricci::ones<double>({4}));
#ifdef RICCI_FIXED
    const ricci::tensor<double, 1> y = real(ricci::fft::ifft(spectrum));
#else
    const ricci::tensor<double, 1> y = ricci::fft::ifft(spectrum);
#endif
    return y.size() == 4;
}
