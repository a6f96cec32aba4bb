// expect only: ricci: nothing can be written into
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    x(0, 0) = 1.0;
#else
    broadcast_to(x, {3, 2, 2})(0, 0, 0) = 1.0;
#endif
}
