// expect only: ricci: interp takes what stands left and right
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::interp(x, x, x, 0.0);
#else
    const auto y = ricci::interp(x, x, x, {.left = 0.0});
#endif
    return static_cast<int>(y.size());
}
