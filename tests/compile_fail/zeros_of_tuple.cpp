// expect only: ricci: extents stand in braces: zeros\(.3, 4.\)
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::zeros({3, 4});
#else
    const auto y = ricci::zeros(std::tuple(3, 4));
#endif
    return static_cast<int>(y.size());
}
