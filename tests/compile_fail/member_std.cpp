// expect only: ricci: x\.std\(\) is stddev\(x\) here, no member
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)stddev(x, 0);
#else
    (void)x.std(0);
#endif
}
