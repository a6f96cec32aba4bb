// expect only: ricci: the orders with a name are linalg::matrix_order::frobenius
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    const auto y = ricci::linalg::norm(x, 2, 1);
#else
    const auto y = ricci::linalg::norm(x, ricci::linalg::matrix_order::frobenius, 1);
#endif
    return static_cast<int>(x.size() + v.size() + y.size());
}
