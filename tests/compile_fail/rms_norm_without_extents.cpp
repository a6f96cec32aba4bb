// expect only: ricci: rms_norm is told the extents of the last axes: rms_norm\(x, \{64\}, weight\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = rms_norm(x, {2});
#else
    const auto y = rms_norm(x);
#endif
    return static_cast<int>(y.size());
}
