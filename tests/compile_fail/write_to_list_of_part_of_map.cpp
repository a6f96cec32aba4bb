// expect: ricci: nothing can be written into `auto y = a \* b`
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 3> x{{{1, 2}, {3, 4}}};
    const ricci::tensor<int, 1> n{0, 0};
#ifdef RICCI_FIXED
    const auto y = evaluate(x * 2);
    y(0)({0, 1}, ricci::all) = 3;
    y(0)(1, {0, 1}) = y(n)({0, 1}, ricci::all)(1, 1, 0);
    x(0)({0, 1}, ricci::all) = 3;
    x(0)(1, {0, 1}) = 3;
#else
    const auto y = x * 2;
    y(n)({0, 1}, ricci::all) = 3;
#endif
    return static_cast<int>(x.size() + y.size());
}
