// expect only: ricci: where selects numbers or elements of arrays
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::where(x > 1, x, 0);
#else
    const auto y = ricci::where(x > 1, x, "a");
#endif
    return static_cast<int>(y.size());
}
