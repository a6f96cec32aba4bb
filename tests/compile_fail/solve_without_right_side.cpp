// expect: ricci: linalg::solve takes a matrix and a right side
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::linalg::solve(x, x).size());
#else
    return static_cast<int>(ricci::linalg::solve(x).size());
#endif
}
