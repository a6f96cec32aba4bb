// expect: ricci: matrix_power takes an integer
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(x.size() + v.size() + ricci::linalg::matrix_power(x, 2).size());
#else
    return static_cast<int>(x.size() + v.size() + ricci::linalg::matrix_power(x, 0.5).size());
#endif
}
