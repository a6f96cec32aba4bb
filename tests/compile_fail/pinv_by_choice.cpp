// expect only: ricci: a number stands here, not true or false
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    const auto a = rc::ones<double>({3, 2});
#ifdef RICCI_FIXED
    const auto y = rc::linalg::pinv(a, 1e-9);
#else
    const auto y = rc::linalg::pinv(a, true);
#endif
    return static_cast<int>(y.size());
}
