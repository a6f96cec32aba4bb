// expect: ricci: map takes a function with one argument, as auto, for each array or number that follows
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const ricci::tensor<double, 1> y = ricci::map([](auto a, auto b) { return a * b; }, x, x);
#else
    const ricci::tensor<double, 1> y = ricci::map([](auto a) { return a * a; }, x, x);
#endif
    return static_cast<int>(y.size());
}
