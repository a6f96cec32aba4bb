// expect only: ricci: the axes stand in braces: flip\(x, \{0, 1\}\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)flip(x, {0, 1});
#else
    (void)flip(x, 0, 1);
#endif
}
