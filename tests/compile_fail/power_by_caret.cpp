// expect only: ricci: \^ is exclusive or in C\+\+; powers are square\(x\) and pow\(x, 3\)
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = square(x);
#else
    const auto y = x ^ 2;
#endif
    return static_cast<int>(y.size());
}
