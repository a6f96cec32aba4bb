// expect only: ricci: linalg::solve_triangular is told whether a is upper, or lower
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::linalg::solve_triangular(x, x(0), false);
#else
    (void)rc::linalg::solve_triangular(x, x(0), {.lower = true});
#endif
}
