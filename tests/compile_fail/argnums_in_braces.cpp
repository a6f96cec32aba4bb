// expect only: ricci: a transform takes a lambda and options of its own
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::grad([](auto a, auto b) { return sum(a * b); }, rc::argnums<0, 1>)(x, x);
#else
    (void)rc::grad([](auto a, auto b) { return sum(a * b); }, {0, 1})(x, x);
#endif
}
