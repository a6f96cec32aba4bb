// expect: ricci: the options of fft are .n, .axis and .norm, those of fft2 and fftn .s, .axes and .norm
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::fft::fft2(x, {.axes = {0, 1}});
#else
    const auto y = ricci::fft::fft2(x, {.axis = {0, 1}});
#endif
    return static_cast<int>(y.size());
}
