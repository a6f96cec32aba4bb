// expect only: ricci: a bound is a number or an array, or `none`
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::clip(x, ricci::none, 1.0);
#else
    const auto y = ricci::clip(x, nullptr, 1.0);
#endif
    return static_cast<int>(y.size());
}
