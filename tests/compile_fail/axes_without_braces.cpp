// expect only: ricci: the axes of a reduction are an integer, or integers in braces
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = sum(ricci::expand_dims(x, 0), {0, 1});
#else
    const auto y = sum(ricci::expand_dims(x, 0), 0, 1);
#endif
    return static_cast<int>(y.size());
}
