// Conditions on values under transforms: they hold for all directions of a derivative, and for no batch as a whole.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

/// 2 x^3 beside large sums, x^2 else, in a loop that ends by a condition.
const auto branches = [](auto x) {
    auto y = evaluate(x * x);
    if (sum(x) > 3) y = 2 * y * x;
    if (any(x > 100)) y = y * 0;
    auto scale = lift(1.0, x);
    while (all(scale < max(x))) scale = scale * 2.0;  // 4: a constant as far as derivatives go
    return sum(y) + 0 * scale;
};
template <class D>
void check_curvature(const D& derivative) {
    check_close(derivative(tensor<double, 1>{1, 2, 3}), tensor<double, 2>{{12, 0, 0}, {0, 24, 0}, {0, 0, 36}});
    check_close(derivative(tensor<double, 1>{1, 2, -3}), tensor<double, 2>{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}});
}

}  // namespace

TEST_CASE("conditions: gradients and second derivatives of a function with branches") {
    check_close(grad(branches)(tensor<double, 1>{1, 2, 3}), tensor<double, 1>{6, 24, 54});
    check_close(grad(branches)(tensor<double, 1>{1, 2, -3}), tensor<double, 1>{2, 4, -6});
    check_curvature(hessian(branches));
    check_curvature(jacfwd(grad(branches)));
    check_curvature(jacrev(grad(branches)));
    check_curvature([](const auto& x) { return sparse_hessian(branches)(x).to_dense(); });
    check_close(hvp(branches, tensor<double, 1>{1, 2, 3}, tensor<double, 1>{1, 1, 1}), tensor<double, 1>{12, 24, 36});
}
TEST_CASE("conditions: what differs between directions decides nothing") {
    const auto f = custom_vjp([](auto x) { return evaluate(2 * x); },
                              [](auto x) { return std::make_tuple(evaluate(2 * x), evaluate(x)); },
                              [](const auto& saved, auto c) {
                                  if (sum(c) > 1) return evaluate(2 * c + 0 * saved);
                                  return evaluate(3 * c + 0 * saved);
                              });
    CHECK_THROWS_AS(jacrev([&](auto x) { return f(x) * tensor<double, 1>{1, 2}; })(tensor<double, 1>{1, 2}),
                    value_error);
}
