// expect: ricci: the shape comes first, then the value
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::full({2, 3}, 1.5);
#else
    const auto y = ricci::full(1.5, {2, 3});
#endif
    return static_cast<int>(y.size());
}
