// expect: ricci: stack joins numbers with results of rank 0 alone
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::stack(ricci::tuple(x(0), 0.5)).size());
#else
    return static_cast<int>(ricci::stack(ricci::tuple(x, 0.5)).size());
#endif
}
