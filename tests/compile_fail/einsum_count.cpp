// expect: ricci: einsum: the number of operands is not that of their subscripts
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::einsum<"ij,jk">(x, x).size());
#else
    return static_cast<int>(ricci::einsum<"ij,jk">(x).size());
#endif
}
