// expect only: ricci: the parameters come before the shape
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    const auto y = ricci::random::normal(0, 1, {3, 4});
#else
    const auto y = ricci::random::normal({3, 4}, "x");
#endif
    return static_cast<int>(x.size() + v.size() + y.size());
}
