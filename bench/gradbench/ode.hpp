// GradBench's ode: y_0' = x_0, y_i' = x_i y_(i-1), from y = 0 to time 2 by the classical Runge-Kutta method (cmpad's
// an_ode).
#pragma once
#include "inputs.hpp"

namespace gradbench {

/// All of y at time 2, after `steps` steps.
template <class X>
auto ode_solution(const X& x, index_t steps) {
    using rc::none, rc::slice;
    const double h = 2.0 / double(steps);
    const auto one = rc::evaluate(0.0 * x(slice(1)) + 1.0);
    const auto slope = [&](const auto& y) { return x * rc::concat({one, rc::evaluate(y(slice(0, -1)))}); };
    auto y = rc::evaluate(0.0 * x);
    for (index_t i = 0; i < steps; ++i) {
        const auto k1 = slope(y);
        const auto k2 = slope(rc::evaluate(y + 0.5 * h * k1));
        const auto k3 = slope(rc::evaluate(y + 0.5 * h * k2));
        const auto k4 = slope(rc::evaluate(y + h * k3));
        y = rc::evaluate(y + h / 6 * (k1 + 2.0 * k2 + 2.0 * k3 + k4));
    }
    return y;
}
/// What the suite differentiates.
template <class X>
auto ode_last(const X& x, index_t steps) {
    return ode_solution(x, steps)(-1);
}

inline rc::tensor<double, 1> make_ode(index_t n) { return uniform(rc::shape<1>{n}, 1); }

}  // namespace gradbench
