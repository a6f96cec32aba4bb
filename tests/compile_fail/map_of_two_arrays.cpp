// expect only: ricci: the function comes first
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::map([](auto a, auto b) { return a * b; }, x, x);
#else
    const auto y = ricci::map(x, x);
#endif
    return static_cast<int>(y.size());
}
