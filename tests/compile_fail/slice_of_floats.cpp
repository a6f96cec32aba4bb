// expect: ricci: the bounds of a slice are integers, or none
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(x(ricci::slice(0, x.size() / 2)).size());
#else
    return static_cast<int>(x(ricci::slice(0, 0.5 * x.size())).size());
#endif
}
