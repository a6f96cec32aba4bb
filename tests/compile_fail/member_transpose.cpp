// expect only: ricci: x\.transpose\(\) is x\.T\(\) of a matrix here
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)x.T();
#else
    (void)x.transpose(1, 0);
#endif
}
