// expect: ricci: an array of a given shape is made by zeros<T>\(shape\)
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    auto y = ricci::zeros(ricci::shape{3, 4});
    return static_cast<int>(x.size() + y.size());
#else
    ricci::tensor<double, 2> y(ricci::shape{3, 4});
    return static_cast<int>(x.size() + y.size());
#endif
}
