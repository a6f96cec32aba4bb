// expect only: ricci: topk takes how many, the axis, and whether the largest
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = std::get<0>(ricci::topk(x, 2, -1, false));
#else
    const auto y = ricci::topk(x, 2, false);
#endif
    return static_cast<int>(y.size());
}
