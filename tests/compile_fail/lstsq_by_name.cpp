// expect only: ricci: linalg::lstsq takes the tolerance as a number
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    const auto y = ricci::linalg::lstsq(x, v, 1e-3).solution;
#else
    const auto y = ricci::linalg::lstsq(x, v, {.rcond = 1e-3});
#endif
    return static_cast<int>(x.size() + v.size() + y.size());
}
