// expect only: ricci: axes are arguments: sum\(x, 0\), sum\(x, .0, 1.\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::sum(x, 0);
#else
    (void)rc::sum<0>(x);
#endif
}
