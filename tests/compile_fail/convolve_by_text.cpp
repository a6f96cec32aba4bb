// expect: ricci: what is kept is no text
#include <ricci/ricci.hpp>

using namespace ricci;

int main() {
    const auto x = ones({4});
#ifdef RICCI_FIXED
    const auto y = signal::convolve(x, x, signal::same);
#else
    const auto y = signal::convolve(x, x, "same");
#endif
    return static_cast<int>(y.size()) == 0;
}
