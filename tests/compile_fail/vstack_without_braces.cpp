// expect only: ricci: the arrays to join stand in braces: vstack\(\{a, b\}\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor<double, 1> v{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = vstack({v, v});
#else
    const auto y = vstack(v, v);
#endif
    return static_cast<int>(y.size());
}
