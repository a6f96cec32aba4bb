// expect only: ricci: complex numbers have no order: max\(abs\(z\)\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    const rc::tensor<std::complex<double>, 1> z{1.0, 2.0};
#ifdef RICCI_FIXED
    (void)max(abs(z));
#else
    (void)max(z);
#endif
}
