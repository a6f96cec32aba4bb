// expect only: ricci: signal::stft takes a window, or its length, then options
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor<double, 1> v{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = signal::stft(v, 2, {.hop = 1});
#else
    const auto y = signal::stft(v, {.nperseg = 2, .noverlap = 1});
#endif
    return static_cast<int>(y.size());
}
