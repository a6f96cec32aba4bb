// expect only: ricci: devices are `ricci::cpu`
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = x.to(ricci::cpu);
#else
    const auto y = x.to("cuda");
#endif
    return static_cast<int>(y.size());
}
