// expect: ricci: hessian\(f\) is a function: hessian\(f\)\(x\)
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    auto y = ricci::hessian([](auto a) { return sum(a * a); })(x);
    return static_cast<int>(x.size() + y.size());
#else
    auto y = ricci::hessian([](auto a) { return sum(a * a); }, x);
    return static_cast<int>(x.size() + y.size());
#endif
}
