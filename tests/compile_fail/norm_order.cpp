// expect: ricci: norm\(x, 1\) is the 2-norm along an axis: others are linalg::norm\(x, order, axis\)
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::linalg::norm(x, 2, 1).size());
#else
    return static_cast<int>(norm(x, 2, 1).size());
#endif
}
