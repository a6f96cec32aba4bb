// expect only: ricci: histogram takes the bins, or their edges
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = std::get<0>(ricci::histogram(x, 10));
#else
    const auto y = ricci::histogram(x, {.bins = 10});
#endif
    return static_cast<int>(y.size());
}
