// expect only: for .auto row : unstack\(x\).
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    auto y = sum(x);
    for (auto e : ricci::unstack(ricci::variable<double, 1>(x))) y = y + e.value();
#else
    auto y = sum(x);
    for (auto e : ricci::variable<double, 1>(x)) y = y + e;
#endif
    return static_cast<int>(y.size());
}
