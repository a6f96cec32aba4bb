// expect: ricci: a fixed_tensor of scalars that are no numbers stands beside no tensor
#include <ricci/fixed.hpp>

int main() {
    const ricci::fixed_tensor<ricci::dual<double>, 3> a;
#ifdef RICCI_FIXED
    const ricci::fixed_tensor<double, 3> b;
#else
    const ricci::tensor<double, 1> b{1, 2, 3};
#endif
    return static_cast<int>((a * b).size());
}
