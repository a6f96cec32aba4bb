// expect: ricci: lu_solve\(LU, order, b\) takes both results
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
    const auto factors = ricci::linalg::lu_factor(x);
#ifdef RICCI_FIXED
    return static_cast<int>(x.size() + v.size() + ricci::linalg::lu_solve(factors.LU, factors.order, v).size());
#else
    return static_cast<int>(x.size() + v.size() + ricci::linalg::lu_solve(factors.LU, x, v).size());
#endif
}
