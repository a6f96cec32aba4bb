// expect only: ricci: scipy\.special\.gammaln is lgamma\(x\) here
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = evaluate(lgamma(x));
#else
    const auto y = gammaln(x);
#endif
    return static_cast<int>(y.size());
}
