// expect: ricci: einsum: subscripts are letters
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::einsum<"ij->i">(x).size());
#else
    return static_cast<int>(ricci::einsum<"i1->i">(x).size());
#endif
}
