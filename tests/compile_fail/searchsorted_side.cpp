// expect only: ricci: here stands true or false
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::searchsorted(x, x, true);
#else
    const auto y = ricci::searchsorted(x, x, "left");
#endif
    return static_cast<int>(y.size());
}
