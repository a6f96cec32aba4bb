// expect: ricci: nothing can be written into `auto y = a \* b`
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
    const ricci::tensor<int, 1> n{0, 2};
#ifdef RICCI_FIXED
    const auto y = evaluate(x * 2);
    y(0) = y(n)(0) + y(n)({0, 1})(1);
    x(ricci::slice(0, 2))({0, 1}) = 3;
#else
    const auto y = x * 2;
    y(n)(0) = 3;
#endif
    return static_cast<int>(x.size() + y.size());
}
