// expect: ricci: clip is told the bounds
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::clip(x, 0, ricci::none);
#else
    const auto y = ricci::clip(x, {.min = 0});
#endif
    return static_cast<int>(y.size());
}
