// expect: ricci: argmax takes one axis, or none
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::argmax(x, 0);
#else
    const auto y = ricci::argmax(x, {0, 1});
#endif
    return static_cast<int>(y.size());
}
