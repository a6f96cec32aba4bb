// expect: ricci: solve_triangular\(a, b, upper\) is told
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    auto y = ricci::linalg::solve_triangular(x, x, false);
    return static_cast<int>(x.size() + y.size());
#else
    auto y = ricci::linalg::solve_triangular(x, x);
    return static_cast<int>(x.size() + y.size());
#endif
}
