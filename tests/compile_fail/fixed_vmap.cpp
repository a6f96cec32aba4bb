// expect: ricci: vmap does not map over a fixed_tensor
#include <ricci/fixed.hpp>

int main() {
    const ricci::fixed_tensor<double, 2, 3> m;
#ifdef RICCI_FIXED
    const ricci::tensor<double, 2> rows = m;
#else
    const auto rows = m;
#endif
    return static_cast<int>(ricci::vmap([](auto x) { return x * 2.0; })(rows).size());
}
