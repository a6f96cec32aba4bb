// expect only: ricci: dot multiplies two arrays
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    const auto y = dot(dot(x, x), v);
#else
    const auto y = dot(x, x, v);
#endif
    return static_cast<int>(x.size() + v.size() + y.size());
}
