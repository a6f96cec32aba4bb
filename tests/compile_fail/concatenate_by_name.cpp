// expect only: ricci: numpy\.concatenate is concat here: concat\(\{x, y\}\), concat\(\{x, y\}, 1\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::concat({x, x}, 1);
#else
    (void)rc::concatenate({x, x}, 1);
#endif
}
