// expect only: ricci: transpose reverses all axes, transpose\(x\), orders them
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::transpose(x, 0, 1);
#else
    (void)rc::transpose(x, 0);
#endif
}
