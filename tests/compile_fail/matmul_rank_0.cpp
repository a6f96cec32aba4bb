// expect: ricci: matmul needs arrays of rank 1 or more
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::matmul(x, x(0, ricci::all)).size());
#else
    return static_cast<int>(ricci::matmul(x, x(0, 0)).size());
#endif
}
