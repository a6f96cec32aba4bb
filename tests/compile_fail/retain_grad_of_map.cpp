// expect: ricci: `auto y = sin.w.` is an expression, which keeps no gradient: name its value
#include <ricci/ricci.hpp>

int main() {
    const ricci::variable<double, 1> w = ricci::tensor<double, 1>{1, 2};
#ifdef RICCI_FIXED
    const ricci::variable<double, 1> y = sin(w);
#else
    const auto y = sin(w);
#endif
    y.retain_grad();
    return 0;
}
