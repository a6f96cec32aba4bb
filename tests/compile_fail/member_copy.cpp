// expect only: ricci: x\.copy\(\) is x\.clone\(\) here, of an expression evaluate\(x\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)x.clone();
#else
    (void)x.copy();
#endif
}
