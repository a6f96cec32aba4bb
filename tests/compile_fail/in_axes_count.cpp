// expect: ricci: in_axes needs one axis, or none, for each argument
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::vmap([](auto a, auto b) { return a * b; }, ricci::in_axes(0, ricci::none))(x, x);
#else
    const auto y = ricci::vmap([](auto a, auto b) { return a * b; }, ricci::in_axes(0))(x, x);
#endif
    return static_cast<int>(y.size());
}
