// expect only: ricci: x\.numel\(\) is x\.size\(\) here
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)x.size();
#else
    (void)x.numel();
#endif
}
