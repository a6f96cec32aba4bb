// expect only: ricci: the type stands before the parentheses: x\.astype<float>\(\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)x.astype<float>();
#else
    (void)x.astype("float32");
#endif
}
