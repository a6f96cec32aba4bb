// expect only: ricci: a number stands here, not true or false
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    const auto x = rc::zeros<double>({2, 3, 4});
    const auto c = rc::ones<double>({3});
#ifdef RICCI_FIXED
    const auto y = rc::batch_norm(x, c, c, c, c, 1e-3);
#else
    const auto y = rc::batch_norm(x, c, c, c, c, false);  // torch's training = False
#endif
    return static_cast<int>(y.size());
}
