// expect only: ricci: pad takes a margin for each axis
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = ricci::pad(ricci::zeros({2, 2, 2}), {{1, 1}, {1, 1}, {0, 0}});
#else
    const auto y = ricci::pad(ricci::zeros({2, 2, 2}), {{1, 1}, {1, 1}});
#endif
    return static_cast<int>(y.size());
}
