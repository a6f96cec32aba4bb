// expect: ricci: the options of fft are .n, .axis and .norm
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::fft::fft(x, {.axis = 0});
#else
    const auto y = ricci::fft::fft(x, {.axes = 0});
#endif
    return static_cast<int>(y.size());
}
