// expect: ricci: out_axes needs one axis for each result, or one for all
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    const auto f = [](auto a) { return ricci::tuple(a, a * a, a + a); };
#ifdef RICCI_FIXED
    return static_cast<int>(std::get<1>(ricci::vmap(f, ricci::in_axes(0), ricci::out_axes(0, 0, 0))(x)).size());
#else
    return static_cast<int>(std::get<1>(ricci::vmap(f, ricci::in_axes(0), ricci::out_axes(0, 0))(x)).size());
#endif
}
