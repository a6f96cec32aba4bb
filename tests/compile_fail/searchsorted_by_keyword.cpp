// expect only: ricci: searchsorted is told `true`
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::searchsorted(x, x, true);
#else
    const auto y = ricci::searchsorted(x, x, {.side = "right"});
#endif
    return static_cast<int>(y.size());
}
