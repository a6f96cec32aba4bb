// expect only: ricci: the axes of several arguments are in_axes: vmap\(f, in_axes\(0, none\)\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = rc::vmap([](auto a, auto b) { return a * b; }, rc::in_axes(0, rc::none))(x, 2.0);
#else
    const auto y = rc::vmap([](auto a, auto b) { return a * b; }, {0, rc::none});
#endif
    return static_cast<int>(sizeof y);
}
