// GradBench's particle: where to put a charge so that a particle, repelled by it and by another, passes through the
// origin (Pearlmutter and Siskind, Using programming language theory to make automatic differentiation sound and
// efficient, 2008).
#pragma once
#include "descent.hpp"

namespace gradbench {

/// The square of where the particle crosses the axis y = 0, with charges at (10, 10 - w) and (10, 0), w of shape (1).
/// `inner` is the mode of the derivative that gives the force.
template <class Inner, class W>
auto particle_miss(const Inner& inner, const W& w) {
    const rc::tensor<double, 2> at{{10, 10}, {10, 0}}, moved{{0, -1}, {0, 0}};
    const double step = 0.1;
    const auto charges = rc::evaluate(at + moved * w);
    const auto potential = [&](const auto& x) { return sum(1.0 / sqrt(sum(square(x - charges), 1))); };
    const auto gradient = inner(potential);
    auto x = rc::evaluate(rc::tensor<double, 1>{0, 8} + 0.0 * w);
    auto velocity = rc::evaluate(rc::tensor<double, 1>{0.75, 0} + 0.0 * w);
    for (;;) {
        const auto to = rc::evaluate(x + step * velocity);
        if (rc::evaluate(to(1)).item() <= 0) break;
        velocity = rc::evaluate(velocity - step * gradient(x));
        x = to;
    }
    const auto crossing = x(0) - x(1) / velocity(1) * velocity(0);
    return rc::evaluate(crossing * crossing);
}
/// The w that makes it least, from a first one.
template <class Outer, class Inner>
double particle_control(const Outer& outer, const Inner& inner, double w) {
    const auto miss = [&](const auto& v) { return particle_miss(inner, v); };
    return argmin(outer, miss, rc::tensor<double, 1>{w}).item();
}

}  // namespace gradbench
