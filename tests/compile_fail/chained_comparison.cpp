// expect: ricci: comparisons are not chained: .low < x. && .x < high. for low < x < high
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{0.5, 2};
#ifdef RICCI_FIXED
    return ricci::any(0.0 < x && x < 1.0 && (x > 0) <= (x < 2)).item();
#else
    return ricci::any(0.0 < x < 1.0).item();
#endif
}
