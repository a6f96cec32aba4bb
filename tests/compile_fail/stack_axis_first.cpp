// expect: ricci: the arrays come first, in braces, then the axis: stack
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::stack({x, x}, 0);
#else
    const auto y = ricci::stack(0, x, x);
#endif
    return static_cast<int>(y.size());
}
