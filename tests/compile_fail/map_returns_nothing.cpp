// expect only: ricci: the function of map returns its result
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::map([](auto a) { return a; }, x);
#else
    const auto y = ricci::map([](auto a) { (void)a; }, x);
#endif
    return static_cast<int>(y.size());
}
