// expect only: ricci: linspace is between numbers; between vectors: a \+ linspace
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::linspace(0, max(x), 5);
#else
    (void)linspace(x, x, 5);
#endif
}
