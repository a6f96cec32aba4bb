// expect: ricci: a vector or span becomes an array by .* braces by tensor.1.0, 2.0.
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::linalg::solve(x, ricci::tensor{1.0, 2.0}).size());
#else
    return static_cast<int>(ricci::linalg::solve(x, {1.0, 2.0}).size());
#endif
}
