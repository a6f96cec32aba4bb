// expect only: ricci: a mask is an array: x\(tensor\{true, false\}\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)x(rc::tensor{true, false});
#else
    (void)x({true, false});
#endif
}
