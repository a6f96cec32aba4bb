// expect only: ricci: the extents stand in braces: expand
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::expand(x, {2, 3});
#else
    const auto y = ricci::expand(x, 2, 3);
#endif
    return static_cast<int>(y.size());
}
