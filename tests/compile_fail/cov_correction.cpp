// expect: ricci: a correction comes after whether the rows are the variables
#include <ricci/ricci.hpp>

using namespace ricci;

int main() {
    const tensor<double, 2> x{{1, 2}, {3, 4}};
    const tensor<int, 2> k{{1, 0}, {1, 1}};
#ifdef RICCI_FIXED
    const auto y = cov(x, true, 0);
#else
    const auto y = cov(x, 0);
#endif
    return static_cast<int>(y.size() + k.size()) == 0;
}
