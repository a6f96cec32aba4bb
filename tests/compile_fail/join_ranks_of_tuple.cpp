// expect only: ricci: arrays to join must have the same rank
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::concat(ricci::tuple(x, x));
#else
    const auto y = ricci::concat(ricci::tuple(x, expand_dims(x, 0)));
#endif
    return static_cast<int>(y.size());
}
