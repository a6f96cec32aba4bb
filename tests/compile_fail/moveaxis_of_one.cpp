// expect only: ricci: moveaxis takes the axis and its place: moveaxis\(x, 0, -1\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)moveaxis(x, 0, -1);
#else
    (void)moveaxis(x, 0);
#endif
}
