// expect only: ricci: grad_outputs stand behind the inputs
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const ricci::variable<double, 1> w = x;
    const auto y = ricci::autograd::grad(sin(w), w, x);
#else
    const ricci::variable<double, 1> w = x;
    const auto y = ricci::autograd::grad(sum(w), w, {.grad_outputs = true});
#endif
    return static_cast<int>(y.size());
}
