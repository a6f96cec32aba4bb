// expect: ricci: a number stands here, not true or false
#include <ricci/ricci.hpp>

using namespace ricci;

int main() {
    const tensor<double, 1> a{1, 2, 4}, b{2, 0, 1};
#ifdef RICCI_FIXED
    const auto y = cov(a, b, 0.0);
#else
    const auto y = cov(a, b, false);
#endif
    return static_cast<int>(y.size()) == 0;
}
