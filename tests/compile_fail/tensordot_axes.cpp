// expect: ricci: tensordot sums over more axes than an array has
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::tensordot<1>(x, x).size());
#else
    return static_cast<int>(ricci::tensordot<3>(x, x).size());
#endif
}
