// expect only: ricci: options of Fourier transforms stand together
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::fft::fft(x, {.n = 8, .axis = 0});
#else
    const auto y = ricci::fft::fft(x, 8, {.axis = 0});
#endif
    return static_cast<int>(y.size());
}
