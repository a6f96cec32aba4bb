// expect only: ricci: linalg::eigh is told which triangle to read
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::linalg::eigh(x, rc::linalg::triangle::upper);
#else
    (void)rc::linalg::eigh(x, "U");
#endif
}
