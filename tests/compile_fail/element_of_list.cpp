// expect only: ricci: one element takes one number
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    x(0) = 1;
    const auto& y = x;
#else
    x(0) = {1, 2};
    const auto& y = x;
#endif
    return static_cast<int>(y.size());
}
