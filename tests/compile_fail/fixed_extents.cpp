// expect: ricci: the extents of the two fixed tensors differ
#include <ricci/fixed.hpp>

int main() {
    const ricci::fixed_tensor<double, 3> a{1, 2, 3};
#ifdef RICCI_FIXED
    const ricci::fixed_tensor<float, 3> b = a;
#else
    const ricci::fixed_tensor<float, 2> b = a;
#endif
    return static_cast<int>(b(0));
}
