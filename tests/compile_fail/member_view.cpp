// expect only: ricci: x\.view\(4, 3\) is x\.reshape\(4, 3\) here
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)x.reshape({4, 1});
#else
    (void)x.view({4, 1});
#endif
}
