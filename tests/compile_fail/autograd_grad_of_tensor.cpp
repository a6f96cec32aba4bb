// expect: ricci: autograd::grad takes derivatives with respect to variables
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    const ricci::variable<double, 1> w = x;
#ifdef RICCI_FIXED
    const auto [slope] = ricci::autograd::grad(sum(w * w), ricci::tuple(w));
#else
    const auto [slope] = ricci::autograd::grad(sum(w * w), ricci::tuple(x));
#endif
    return static_cast<int>(slope.size());
}
