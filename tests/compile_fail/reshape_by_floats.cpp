// expect: ricci: extents are integers
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::reshape(x, {4, 1});
#else
    const auto y = ricci::reshape(x, {4.0, 1.0});
#endif
    return static_cast<int>(y.size());
}
