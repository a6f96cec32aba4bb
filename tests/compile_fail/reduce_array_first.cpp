// expect: ricci: the array comes first
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(sum(x, 0).size());
#else
    return static_cast<int>(ricci::sum(0, x).size());
#endif
}
