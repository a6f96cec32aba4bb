// expect: ricci: how to pad is no text
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::pad(x, {{1, 1}, {1, 1}}, ricci::pad_mode::reflect);
#else
    const auto y = ricci::pad(x, {{1, 1}, {1, 1}}, "reflect");
#endif
    return static_cast<int>(y.size());
}
