// expect only: ricci: diff takes how often, and the axis: diff\(x, 1, 0\)
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::diff(x, 2);
#else
    const auto y = ricci::diff(x, {.n = 2});
#endif
    return static_cast<int>(y.size());
}
