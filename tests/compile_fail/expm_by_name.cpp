// expect only: ricci: scipy.linalg.expm is linalg::matrix_exp\(a\) here
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = linalg::matrix_exp(x);
#else
    const auto y = linalg::expm(x);
#endif
    return static_cast<int>(y.size());
}
