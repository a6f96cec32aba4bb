// expect only: ricci: numpy\.unique is unique_values\(x\) here
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)unique_values(x);
#else
    (void)unique(x);
#endif
}
