// expect: ricci: where selects from two: where.mask, a, b.
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(evaluate(where(x > 1.0, x, 0.0)).size());
#else
    return static_cast<int>(evaluate(where(x > 1.0, x)).size());
#endif
}
