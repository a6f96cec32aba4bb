// expect only: ricci: a matrix's transpose is x\.T\(\) here
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)permute(x, {1, 0});
#else
    (void)transpose(x, {1, 0});
#endif
}
