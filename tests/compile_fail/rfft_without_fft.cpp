// expect only: ricci: rfft is fft::rfft here
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::fft::rfft(x);
#else
    (void)rc::rfft(x);
#endif
}
