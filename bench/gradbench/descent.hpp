// Gradient descent and the two modes of differentiation, which GradBench's particle and saddle nest in each other.
#pragma once
#include <cmath>
#include <vector>

#include "inputs.hpp"

namespace gradbench {

/// Functions of a vector to their gradients, by reverse or by forward mode.
inline constexpr auto reverse_mode = [](const auto& f) { return rc::grad(f); };
inline constexpr auto forward_mode = [](const auto& f) {
    return [f](const auto& x) {
        const auto units = rc::eye<double>(x.size());
        const auto slope = [&](index_t i) { return std::get<1>(rc::jvp(f, x, units(i))); };
        std::vector slopes{slope(0)};
        for (index_t i = 1; i < x.size(); ++i) slopes.push_back(slope(i));
        return rc::stack(slopes);
    };
};

template <class X>
double length(const X& x) {
    return std::sqrt(rc::evaluate(sum(square(x))).item());
}

/// A minimum of f, by steps downhill: twice as long after ten that succeeded, half as long after one that did not
/// (Pearlmutter and Siskind, Using programming language theory to make automatic differentiation sound and efficient,
/// 2008).
template <class Mode, class F, class X>
auto argmin(const Mode& mode, const F& f, const X& start) {
    const auto gradient = mode(f);
    auto x = rc::evaluate(start + 0.0 * gradient(start));  // under all the derivatives that f is under
    auto y = rc::evaluate(f(x));
    auto slope = rc::evaluate(gradient(x));
    double step = 1e-5;
    for (int succeeded = 0; length(slope) > 1e-5;) {
        if (succeeded == 10) {
            step *= 2;
            succeeded = 0;
        }
        const auto to = rc::evaluate(x - step * slope);
        if (length(to - x) <= 1e-5) break;
        const auto y_there = rc::evaluate(f(to));
        if (y_there.item() < y.item()) {
            x = to;
            y = y_there;
            slope = rc::evaluate(gradient(x));
            ++succeeded;
        } else {
            step /= 2;
            succeeded = 0;
        }
    }
    return x;
}

}  // namespace gradbench
