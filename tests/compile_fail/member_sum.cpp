// expect only: ricci: x\.sum\(\.\.\.\) is sum\(x, \.\.\.\) here, no member
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)sum(x, {0, 1});
#else
    (void)x.sum({0, 1});
#endif
}
