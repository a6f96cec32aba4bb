// expect only: ricci: how to interpolate comes first, whether corners meet last: interpolate<interpolation::linear>\(x, \{64, 64\}, true\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor<double, 4> x = ones({1, 1, 4, 4});
#ifdef RICCI_FIXED
    const auto y = interpolate<interpolation::linear>(x, {8, 8}, true);
#else
    const auto y = interpolate(x, {8, 8}, {.mode = "bilinear", .align_corners = true});
#endif
    return static_cast<int>(y.size());
}
