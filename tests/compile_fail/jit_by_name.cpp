// expect only: ricci: functions are compiled as they are, f\(x\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    const rc::tensor<double, 1> x{1, 2};
    const auto f = [](auto v) { return sum(exp(v)); };
#ifdef RICCI_FIXED
    (void)rc::grad(f)(x);
#else
    (void)rc::jit(f);
#endif
}
