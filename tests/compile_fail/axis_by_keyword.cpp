// expect: ricci: an axis has no name: mean\(x, 0\), mean\(x, 0, keepdims\)|GNU-style designated initializer
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)mean(x, 0, rc::keepdims);
#else
    (void)mean(x, {.axis = 0, .keepdims = true});
#endif
}
