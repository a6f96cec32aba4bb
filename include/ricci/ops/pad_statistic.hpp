// Margins that a statistic of each line fills, or a straight line: pad with pad_statistic and linear_ramp.
#pragma once
#include "elementwise/floor.hpp"
#include "elementwise/round.hpp"
#include "pad.hpp"
#include "reduce.hpp"

namespace ricci {

/// What pad puts in the margins of an axis: of each line along it the mean, the largest or the smallest element.
enum class pad_statistic { mean, maximum, minimum };
/// The margins of pad are straight lines from the edge to this value, at the ends.
struct linear_ramp {
    double end = 0;
};

namespace detail {

/// `a` with margins, one axis after the other, so that later axes go on from the margins of those before:
/// strip(a, axis, width, is_before) gives one.
template <class A, class Strip>
auto padded_by_strips(A a, const margin* margins, const Strip& strip) {
    padded_shape(a.shape(), margins, 1);
    for (int d = 0; d < A::rank; ++d) {
        const margin& m = margins[d];
        if (m.before + m.after == 0) continue;
        a = A(concat(std::make_tuple(strip(a, d, m.before, true), a, strip(a, d, m.after, false)), d));
    }
    return a;
}
template <class A>
auto statistic_of_lines(const A& a, int axis, pad_statistic which) {
    using T = typename A::value_type;
    using Y = std::remove_cvref_t<decltype(evaluate(max(a, axis, keepdims)))>;
    if (which == pad_statistic::maximum) return Y(max(a, axis, keepdims));
    if (which == pad_statistic::minimum) return Y(min(a, axis, keepdims));
    if constexpr (is_inexact_v<T>) return Y(evaluate_as<T>(mean(a, axis, keepdims)));
    else return Y(evaluate_as<T>(round(mean(a, axis, keepdims))));
}

}  // namespace detail

/// `x` with margins, as pad has them, filled by a statistic of each line along their axis (of integers the mean is
/// rounded). Differentiable as that is. Throws value_error for a negative margin or one around an empty axis.
/// (numpy.pad, mode="mean", "maximum", "minimum".)
template <expression E, int N>
auto pad(const E& x, const margin (&margins)[N], pad_statistic which) {
    return detail::padded_by_strips(
        detail::without_const(evaluate(x)), detail::margins_of_axes<E::rank>(margins).axis,
        [which](const auto& a, int axis, index_t width, bool) {
            auto extents = a.shape();
            extents[axis] = width;
            return evaluate(broadcast_to(detail::statistic_of_lines(a, axis, which), extents));
        });
}
/// The same with straight lines from the edge to the end's value (of integers rounded down). Linear.
/// (numpy.pad, mode="linear_ramp".)
template <expression E, int N>
auto pad(const E& x, const margin (&margins)[N], linear_ramp ramp) {
    using T = typename E::value_type;
    using R = inexact_t<T>;
    return detail::padded_by_strips(
        detail::without_const(evaluate(x)), detail::margins_of_axes<E::rank>(margins).axis,
        [ramp](const auto& a, int axis, index_t width, bool before) {
            auto extents = detail::unit_shape<E::rank>();
            extents[axis] = width;
            const auto numbers = arange<double>(double(width));
            const auto k = detail::reshaped(before ? numbers : evaluate(flip(numbers)), extents).to(device_t<E>{});
            const auto edge = detail::evaluate_as<R>(detail::stretch_of(a, axis, before ? 0 : a.shape()[axis] - 1, 1));
            const auto line = evaluate(ramp.end + k * ((edge - ramp.end) / double(width)));  // as numpy.linspace rounds
            if constexpr (is_inexact_v<T>) return detail::evaluate_as<T>(line);
            else return detail::evaluate_as<T>(floor(line));
        });
}

}  // namespace ricci
