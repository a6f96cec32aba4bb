// expect: ricci: arange counts to a number
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::arange(3) * ricci::arange<double>({3});
#else
    const auto y = ricci::arange({3});
#endif
    return static_cast<int>(y.size());
}
