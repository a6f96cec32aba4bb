// expect only: ricci: how to interpolate comes first
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor<double, 4> x = ones({1, 1, 4, 4});
#ifdef RICCI_FIXED
    const auto y = interpolate<interpolation::linear>(x, {8, 8});
#else
    const auto y = interpolate(x, {8, 8}, "bilinear");
#endif
    return static_cast<int>(y.size());
}
