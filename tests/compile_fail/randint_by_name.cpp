// expect only: ricci: numpy\.random\.randint is random::integers\(0, 10, [{]3, 4[}]\) here
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
#ifdef RICCI_FIXED
    (void)rc::random::integers(0, 10, {3});
#else
    (void)rc::randint(0, 10, {3});
#endif
}
