// expect only: ricci: a matrix's transpose is x\.T\(\) here
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)x.T();
#else
    (void)transpose(x);
#endif
}
