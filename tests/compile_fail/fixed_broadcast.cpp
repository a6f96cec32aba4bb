// expect: ricci: these fixed tensors do not broadcast: two extents of an axis differ, and neither is 1
#include <ricci/fixed.hpp>

int main() {
    const ricci::fixed_tensor<double, 2, 3> a;
#ifdef RICCI_FIXED
    const ricci::fixed_tensor<double, 2, 1> b;
#else
    const ricci::fixed_tensor<double, 2> b;
#endif
    return static_cast<int>((a + b)(0, 0));
}
