// expect: ricci: rfft, ihfft, dct and dst take real arrays; fft and ifft take complex ones
#include <ricci/ops/fft.hpp>

int main() {
    const ricci::tensor<std::complex<double>, 1> z{1, 2, 3};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::fft::fft(z).size());
#else
    return static_cast<int>(ricci::fft::rfft(z).size());
#endif
}
