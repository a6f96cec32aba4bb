// expect only: ricci: an expression, .auto y = a \* b., a part of it, y\(0\), .* not changed in place
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    auto y = evaluate(x * 2);
#else
    auto y = x * 2;
#endif
    y(0) += 1;
    return static_cast<int>(y.size());
}
