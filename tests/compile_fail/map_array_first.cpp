// expect: ricci: the function comes first
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::map([](auto a) { return sin(a); }, x);
#else
    const auto y = ricci::map(x, [](auto a) { return sin(a); });
#endif
    return static_cast<int>(y.size());
}
