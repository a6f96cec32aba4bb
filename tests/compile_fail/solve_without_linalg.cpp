// expect only: ricci: solve is linalg::solve here
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::linalg::solve(x, x(0));
#else
    (void)solve(x, x(0));
#endif
}
