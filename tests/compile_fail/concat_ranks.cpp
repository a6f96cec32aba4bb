// expect: ricci: arrays to join must have the same rank
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    const ricci::tensor<double, 2> y{{1, 2}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::concat(ricci::tuple(x, y(0))).size());
#else
    return static_cast<int>(ricci::concat(ricci::tuple(x, y)).size());
#endif
}
