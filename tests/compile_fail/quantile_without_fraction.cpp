// expect: ricci: quantile is told the fraction
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(quantile(x, 0.5).size());
#else
    return static_cast<int>(quantile(x).size());
#endif
}
