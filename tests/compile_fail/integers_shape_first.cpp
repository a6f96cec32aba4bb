// expect only: ricci: the bounds come before the shape: random::integers\(0, 10, .3, 4.\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
#ifdef RICCI_FIXED
    (void)rc::random::integers(0, 10, {3});
#else
    (void)rc::random::integers({3}, 0, 10);
#endif
}
