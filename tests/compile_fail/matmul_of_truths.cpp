// expect: ricci: no products of truth values: convert them by astype
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return matmul(astype<int>(x > 2), astype<int>(x > 1)).at(0, 0);
#else
    return matmul(x > 2, x > 1).at(0, 0);
#endif
}
