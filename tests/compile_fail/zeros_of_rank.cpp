// expect only: ricci: the extents say the rank: zeros<double>\(.3, 4.\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
#ifdef RICCI_FIXED
    (void)rc::zeros<double>({3, 4});
#else
    (void)rc::zeros<double, 2>(3, 4);
#endif
}
