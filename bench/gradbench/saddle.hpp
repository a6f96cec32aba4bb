// GradBench's saddle: the minimum over x of the maximum over y of (x_1^2 + x_2^2) - (y_1^2 + y_2^2), by descents in
// descents.
#pragma once
#include "descent.hpp"

namespace gradbench {

/// x and y, from `start` (2) for all descents; `outer` and `inner` are the modes of those by x and by y.
template <class Outer, class Inner>
rc::tensor<double, 1> saddle_point(const Outer& outer, const Inner& inner, const rc::tensor<double, 1>& start) {
    const auto f = [](const auto& x, const auto& y) { return sum(square(x)) - sum(square(y)); };
    const auto highest = [&](const auto& x) {
        const auto below = [&](const auto& y) { return -f(x, y); };
        return f(x, argmin(inner, below, start));
    };
    const auto x = argmin(outer, highest, start);
    const auto below = [&](const auto& y) { return -f(x, y); };
    return rc::concat({x, argmin(outer, below, start)});
}

}  // namespace gradbench
