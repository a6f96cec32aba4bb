// expect only: ricci: the subscripts are a template argument
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::einsum<"ij->ji">(x).size());
#else
    return static_cast<int>(ricci::einsum("ij->ji", x).size());
#endif
}
