// expect: ricci: x\.T\(\) is of a matrix
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    auto y = x.T();
    return static_cast<int>(x.size() + y.size());
#else
    auto y = x(0).T();
    return static_cast<int>(x.size() + y.size());
#endif
}
