// expect only: ricci: fft2 and its like take the lengths of two axes
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::fft::fft2(x, {4, 4}, {0, 1});
#else
    const auto y = ricci::fft::fft2(x, {4, 4, 4}, {0, 1});
#endif
    return static_cast<int>(y.size());
}
