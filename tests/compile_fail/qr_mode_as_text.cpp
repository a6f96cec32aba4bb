// expect only: ricci: the mode of linalg::qr is no text
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::linalg::qr(x, rc::linalg::qr_mode::complete);
#else
    (void)rc::linalg::qr(x, "complete");
#endif
}
