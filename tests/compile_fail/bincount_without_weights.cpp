// expect only: ricci: bincount takes the numbers, weights if any, and the least length
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<int, 1> k{1, 2};
#ifdef RICCI_FIXED
    (void)bincount(k, 10);
#else
    (void)bincount(k, {}, 10);
#endif
}
