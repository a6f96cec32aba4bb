// expect only: ricci: layer_norm is told the extents of the last axes: layer_norm\(x, \{64\}, weight, bias\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor<double, 1> v{1, 2};
    const tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = layer_norm(x, {2}, v, v);
#else
    const auto y = layer_norm(x, v, v);
#endif
    return static_cast<int>(y.size());
}
