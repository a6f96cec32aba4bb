// expect: ricci: concat joins arrays along an axis that they have, and a number has none
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::concat(ricci::tuple(x, ricci::tensor<double, 1>{0.5})).size());
#else
    return static_cast<int>(ricci::concat(ricci::tuple(x, 0.5)).size());
#endif
}
