// expect only: ricci: linalg::solve takes a matrix and a right side
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    const auto y = ricci::linalg::solve(x, v);
#else
    const auto y = ricci::linalg::solve(x, 2.0);
#endif
    return static_cast<int>(x.size() + v.size() + y.size());
}
