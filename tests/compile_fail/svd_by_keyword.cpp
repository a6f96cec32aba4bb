// expect only: ricci: linalg::svd is told whether the matrices are full: svd\(x, false\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::linalg::svd(x, false);
#else
    (void)rc::linalg::svd(x, {.full_matrices = false});
#endif
}
