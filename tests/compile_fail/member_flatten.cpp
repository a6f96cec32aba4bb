// expect only: ricci: x\.flatten\(\) is ravel\(x\)\.clone\(\) here
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)ravel(x).clone();
#else
    (void)x.flatten();
#endif
}
