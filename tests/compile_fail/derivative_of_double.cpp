// expect: ricci: the function of derivative takes its number as auto, not double
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
#ifdef RICCI_FIXED
    (void)rc::derivative([](auto t) { return t * t; }, 2.0);
#else
    (void)rc::derivative([](double t) { return t * t; }, 2.0);
#endif
}
