// expect: lvalue required as left operand|expression is not assignable
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = evaluate(x * 2);
    x(1).at(0) = (x * 2)(1).at(0);
#else
    const auto y = x * 2;
#endif
    y(0).at(1) = 3;
    return static_cast<int>(x.size() + y.size());
}
