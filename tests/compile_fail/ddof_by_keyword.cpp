// expect only: ricci: a correction comes after what is kept
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = stddev(x, 0, {}, 1);
#else
    const auto y = stddev(x, 0, {.ddof = 1});
#endif
    return static_cast<int>(y.size());
}
