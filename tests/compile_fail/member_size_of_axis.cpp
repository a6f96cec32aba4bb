// expect only: ricci: x\.size\(\) is of all elements here, the extent of an axis x\.shape\(0\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)x.shape(0);
#else
    (void)x.size(0);
#endif
}
