// Ricci in a page: lazy fused arrays, gradients of any order, vmap.
#include <iostream>
#include <ricci/ricci.hpp>

namespace rc = ricci;

int main() {
    // Arrays as in NumPy: broadcasting, views, reductions.
    const rc::tensor<double, 2> a{{1, 2, 3}, {4, 5, 6}};
    std::cout << "a\n" << a << "\na(all, slice(none, none, -1))\n" << a(rc::all, rc::slice(rc::none, rc::none, -1)) << '\n';

    const auto x = rc::randn<double>({1000, 3}, rc::generator(42));
    const auto z = (x - mean(x, 0)) / stddev(x, 0);  // lazy: one pass, when it is needed
    std::cout << "mean of z " << mean(z, 0) << ", standard deviation " << stddev(z, 0) << '\n';

    // Whatever is element-wise is one kernel, the reduction that consumes it included.
    const double total = sum(exp(-z * z));
    std::cout << "sum(exp(-z * z)) = " << total << '\n';

    // Views write through.
    auto b = a.clone();
    b(rc::all, 0) = 0.0;
    b(0, rc::slice(1, rc::none)) += 10;
    std::cout << "b\n" << b << '\n';

    // Gradients: functions in, functions out; they nest in any order.
    auto f = [](auto v) { return sum(sin(v) * exp(-v * v)); };
    const rc::tensor<double, 1> v{0.5, 1.0, 2.0};
    auto [value, gradient] = rc::value_and_grad(f)(v);
    std::cout << "f(v) = " << value << ", gradient " << gradient << "\nHessian\n" << rc::hessian(f)(v) << '\n';

    // The gradient of each sample's loss, without a loop.
    auto loss = [](auto w, auto sample, auto target) { return square(sum(w * sample) - target); };
    const rc::tensor<double, 1> w{0.1, 0.2, 0.3};
    const rc::tensor<double, 1> targets{1, 2};
    std::cout << "per-sample gradients\n" << rc::vmap(rc::grad(loss), rc::in_axes(rc::none, 0, 0))(w, a, targets) << '\n';

    // Your own scalar function: SIMD, fused, differentiable.
    auto soft = [](auto t) { return where(t > 0, t, exp(t) - 1); };
    std::cout << "elu " << rc::evaluate(rc::map(soft, v - 1.0)) << ", slope "
              << rc::grad([&](auto t) { return sum(rc::map(soft, t)); })(v - 1.0) << '\n';

    // The imperative style, for those who come from torch.autograd.
    rc::variable<double, 1> weights = rc::zeros<double>({3});
    for (int step = 0; step < 200; ++step) {
        weights.zero_grad();
        rc::backward(mean(square(matmul(a, weights) - targets)));
        weights.value() -= 0.02 * weights.grad();
    }
    std::cout << "fitted " << weights.value() << ", residual " << rc::evaluate(matmul(a, weights.value()) - targets) << '\n';
}
