// expect only: ricci: the options of spectra are .rate, .overlap, .n_fft, .detrend, .power and .onesided
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    const auto y = std::get<0>(ricci::signal::welch(v, {.rate = 100}));
#else
    const auto y = std::get<0>(ricci::signal::welch(v, {.fs = 100, .nperseg = 2}));
#endif
    return static_cast<int>(y.size());
}
