// expect only: ricci: sort takes an axis, then whether to descend
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::sort(x, -1, true);
#else
    const auto y = ricci::sort(x, true);
#endif
    return static_cast<int>(y.size());
}
