// expect only: ricci: the axes stand in braces: permute\(x, \{1, 0\}\)
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = permute(x, {1, 0});
#else
    const auto y = permute(x, 1, 0);
#endif
    return static_cast<int>(y.size());
}
