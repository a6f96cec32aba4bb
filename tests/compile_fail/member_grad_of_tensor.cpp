// expect only: ricci: only a variable has a gradient
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::grad([](auto a) { return sum(a); })(x);
#else
    (void)x.grad();
#endif
}
