// expect only: ricci: x\.rows\(\) is x\.shape\(0\) here
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)x.shape(0);
#else
    (void)x.rows();
#endif
}
