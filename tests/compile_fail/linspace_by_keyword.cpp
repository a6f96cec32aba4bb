// expect only: ricci: linspace takes how many, and whether the end is one
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
#ifdef RICCI_FIXED
    (void)rc::linspace(0, 1, 5);
#else
    (void)rc::linspace(0, 1, {.num = 5});
#endif
}
