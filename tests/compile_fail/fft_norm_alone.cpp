// expect only: ricci: options of Fourier transforms are in braces
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    const auto y = ricci::fft::fft(v, {.norm = ricci::fft::ortho});
#else
    const auto y = ricci::fft::fft(v, ricci::fft::ortho);
#endif
    return static_cast<int>(x.size() + v.size() + y.size());
}
