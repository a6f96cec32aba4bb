// expect only: ricci: a Jacobian is jacfwd\(f\)\(x\) here
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::jacfwd([](auto a) { return sin(a); });
#else
    (void)rc::jacobian([](auto a) { return sin(a); });
#endif
}
