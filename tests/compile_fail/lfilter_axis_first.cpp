// expect: ricci: the state comes before the axis
#include <ricci/ricci.hpp>

using namespace ricci;

int main() {
    const tensor<double, 1> b{0.5, 0.5}, a{1, -0.5}, x{1, 2, 3}, zi{0};
#ifdef RICCI_FIXED
    const auto y = signal::lfilter(b, a, x, zi, -1);
#else
    const auto y = signal::lfilter(b, a, x, -1, zi);
#endif
    return static_cast<int>(y.y.size()) == 0;
}
