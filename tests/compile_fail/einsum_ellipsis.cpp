// expect: ricci: einsum: the axes of .\.\.\.. must be in the result
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::einsum<"...i->...">(x).size());
#else
    return static_cast<int>(ricci::einsum<"...i->i">(x).size());
#endif
}
