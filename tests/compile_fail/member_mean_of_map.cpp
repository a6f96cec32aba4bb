// expect only: ricci: x\.mean\(\.\.\.\) is mean\(x, \.\.\.\) here, no member
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)mean(x * x);
#else
    (void)(x * x).mean();
#endif
}
