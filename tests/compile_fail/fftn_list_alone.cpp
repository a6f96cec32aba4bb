// expect: ricci: a list alone may be lengths or axes
#include <ricci/ricci.hpp>

using namespace ricci;

int main() {
    const auto x = ones({4, 4});
#ifdef RICCI_FIXED
    const auto y = fft::fftn(x, {.axes = {0, 1}});
#else
    const auto y = fft::fftn(x, {0, 1});
#endif
    return static_cast<int>(y.size()) == 0;
}
