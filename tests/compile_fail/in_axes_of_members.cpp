// expect: ricci: a tuple of in_axes is for a tuple or a struct, and has an axis, or none, for each member
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    const auto f = [](auto pair) { return std::get<0>(pair) * std::get<1>(pair); };
#ifdef RICCI_FIXED
    const auto axes = ricci::in_axes(ricci::tuple(0, ricci::none));
#else
    const auto axes = ricci::in_axes(ricci::tuple(0, ricci::none, 0));
#endif
    return static_cast<int>(ricci::vmap(f, axes)(ricci::tuple(x, 2.0)).size());
}
