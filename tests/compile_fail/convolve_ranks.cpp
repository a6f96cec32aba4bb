// expect: ricci: convolve, correlate and fft_convolve take two arrays of the same rank
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(x.size() + v.size() + ricci::signal::convolve(x, x).size());
#else
    return static_cast<int>(x.size() + v.size() + ricci::signal::convolve(x, v).size());
#endif
}
