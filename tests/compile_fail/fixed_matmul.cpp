// expect: ricci: matmul: the last extent of a must match the second to last of b
#include <ricci/fixed.hpp>

int main() {
    const ricci::fixed_tensor<double, 2, 3> a;
#ifdef RICCI_FIXED
    const ricci::fixed_tensor<double, 3> x;
#else
    const ricci::fixed_tensor<double, 2> x;
#endif
    return static_cast<int>(ricci::matmul(a, x)(0));
}
