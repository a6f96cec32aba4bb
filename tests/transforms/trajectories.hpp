// Trajectories that a loop fills by writes under a transform, in place but for the first.
#pragma once
#include "derivatives.hpp"

namespace written_trajectories {

using namespace derivative_checks;

inline constexpr index_t rows = 24;
inline const tensor<double, 1> p{0.3, -0.5, 0.7}, p_dot{1.0, 0.4, -0.6};
inline constexpr auto decay = [](const auto& y, const auto& v) { return evaluate(0.9 * y + 0.1 * sin(v * y)); };

template <class X>
const void* address(const X& x) {
    return detail::innermost_array(x).data();
}
/// A trajectory whose writes, but the first, must leave it where it is.
template <class P, class Step>
auto filled(const P& start, const Step& step) {
    auto y = lift(zeros<double>({rows, 3}), start);
    y(0) = start;
    const void* const home = address(y);
    for (index_t i = 1; i < rows; ++i) {
        step(y, i);
        CHECK(address(y) == home);
    }
    return y;
}
template <class P>
auto trajectory(const P& start) {
    return filled(start, [&](auto& y, index_t i) { y(i) = decay(y(i - 1), start); });
}
/// A function of the start: the squares of all that the steps write, weighted.
template <class Step>
auto weighted(const Step& step) {
    return [step](auto v) {
        const auto y = filled(v, [&](auto& x, index_t i) { step(x, i, v); });
        return sum(square(y) * reshape(arange<double>(1, rows + 1), {rows, 1}));
    };
}

}  // namespace written_trajectories
