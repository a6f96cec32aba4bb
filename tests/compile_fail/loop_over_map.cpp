// expect: ricci: .a . b. is an expression, which has no elements yet
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    double total = 0;
#ifdef RICCI_FIXED
    for (const double a : evaluate(2 * x)) total += a;
    return static_cast<int>(total);
#else
    for (const double a : 2 * x) total += a;
    return static_cast<int>(total);
#endif
}
