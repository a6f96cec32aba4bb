// expect: ricci: einsum: the result names a subscript that no operand has
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::einsum<"ij->ij">(x).size());
#else
    return static_cast<int>(ricci::einsum<"ij->ik">(x).size());
#endif
}
