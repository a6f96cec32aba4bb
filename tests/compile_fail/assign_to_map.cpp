// expect: ricci: `auto y = a \* b` is an expression, which nothing can be assigned to: `auto y = evaluate\(a \* b\)`
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    auto y = evaluate(2 * x);
#else
    auto y = 2 * x;
#endif
    y = y + sin(y);
    return static_cast<int>(y.size());
}
