// Derivatives far out, where functions are as straight as their asymptotes: no infinity times 0, in any mode or order.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 1> far{-1000, 0, 1000};

/// A function of slopes `first` at -1000, 0 and 1000, whose second derivative is 0 far out and `curvature` at 0.
template <class F>
void check_asymptotes(const F& f, const tensor<double, 1>& first, double curvature) {
    const auto total = [f](const auto& x) { return sum(f(x)); };
    const tensor<double, 1> second{0, curvature, 0};
    const auto along = ones<double>({3});
    check_close(grad(total)(far), first);
    check_close(std::get<1>(jvp(f, far, along)), first);
    check_close(hvp(total, far, along), second);
    check_close(grad([&](const auto& x) { return sum(grad(total)(x)); })(far), second);
}

}  // namespace

TEST_CASE("asymptotes: from 0 to the identity") {
    check_asymptotes([](const auto& x) { return softplus(x); }, {0, 0.5, 1}, 0.25);
    check_asymptotes([](const auto& x) { return logaddexp(x, 0.0); }, {0, 0.5, 1}, 0.25);
    check_asymptotes([](const auto& x) { return silu(x); }, {0, 0.5, 1}, 0.5);
    check_asymptotes([](const auto& x) { return mish(x); }, {0, 0.6, 1}, 0.64);
    check_asymptotes([](const auto& x) { return gelu(x); }, {0, 0.5, 1}, 0.79788456080286536);  // sqrt(2 / pi)
}
TEST_CASE("asymptotes: constants, and from the identity to 0") {
    check_asymptotes([](const auto& x) { return sigmoid(x); }, {0, 0.25, 0}, 0);
    check_asymptotes([](const auto& x) { return tanh(x); }, {0, 1, 0}, 0);
    check_asymptotes([](const auto& x) { return log_sigmoid(x); }, {1, 0.5, 0}, -0.25);
}
