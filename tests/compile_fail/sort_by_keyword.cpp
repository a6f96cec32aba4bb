// expect: ricci: sort takes an axis and whether to descend
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::sort(x, -1, true);
#else
    const auto y = ricci::sort(x, {.descending = true});
#endif
    return static_cast<int>(y.size());
}
