// expect only: ricci: norms are fft::ortho, fft::forward and fft::backward
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::fft::fft(x, {.norm = ricci::fft::ortho});
#else
    const auto y = ricci::fft::fft(x, {.norm = "ortho"});
#endif
    return static_cast<int>(y.size());
}
