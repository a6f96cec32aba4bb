// expect: ricci: the orders with a name are linalg::matrix_order::frobenius
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::linalg::norm(x, ricci::linalg::matrix_order::frobenius));
#else
    return static_cast<int>(ricci::linalg::norm(x, "fro"));
#endif
}
