// expect only: ricci: numpy\.vstack is concat\(\{x, y\}\) of matrices and stack\(\{u, v\}\) of vectors here
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::concat(rc::tuple(x, 2 * x));
#else
    (void)rc::vstack(rc::tuple(x, 2 * x));
#endif
}
