// expect: ricci: the truth value of an array of rank above 0 is ambiguous
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1.0, 2.0};
#ifdef RICCI_FIXED
    const ricci::tensor<bool, 0> condition = ricci::sum(x) > 0.0;
    if (condition) return 0;
#else
    if (x > 0.0) return 0;
#endif
    return 1;
}
