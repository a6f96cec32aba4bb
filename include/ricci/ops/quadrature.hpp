// Integrals of samples and functions: cumulative_simpson, romb, gauss_legendre, fixed_quad.
#pragma once
#include <array>
#include <utility>
#include <vector>

#include "../cpu/math/legendre.hpp"
#include "sampled.hpp"

namespace ricci {
namespace detail {

/// The integral over the first of the two intervals that a parabola through three samples spans, at distances `before`
/// and `after`.
template <class L, class M, class R, class B, class A>
auto first_share(const L& left, const M& middle, const R& right, const B& before, const A& after) {
    const auto both = before + after;
    return before / 6 *
           ((3 - before / both) * left + (3 + before / both + before * before / (both * after)) * middle -
            before * before / (both * after) * right);
}
/// Simpson's integrals of each interval (Cartwright 2017): the even ones by the parabola that begins there, the odd
/// ones by that which ends there, the last one by the last parabola.
template <class A, class W>
auto cumulative_simpson_along(const A& y, int axis, const W& width) {
    const index_t n = y.shape()[axis];
    const auto at = [&](index_t first) { return stretch_of(y, axis, first, n - 2); };
    const auto before = width(0, n - 2), after = width(1, n - 2);
    const auto first = evaluate(first_share(at(0), at(1), at(2), before, after));
    const auto second = evaluate(first_share(at(2), at(1), at(0), after, before));
    const auto begins = concat(std::make_tuple(first, stretch_of(second, axis, n - 3, 1)), axis);
    const auto ends = concat(std::make_tuple(stretch_of(first, axis, 0, 1), second), axis);
    shape<A::rank> line = unit_shape<A::rank>();
    line[axis] = n - 1;
    const auto odd = reshaped(evaluate(arange<index_t>(n - 1) % 2 == 1), line).to(device_t<A>{});
    return cumulative_sum(where(odd, ends, begins), axis);
}

}  // namespace detail

/// The integrals from the first sample to each of the others by Simpson's rule, of samples `dx` apart: one fewer than
/// samples. Each interval by a parabola through three samples; of two samples cumulative_trapezoid's. Integers give
/// double. Linear. (scipy.integrate.cumulative_simpson.)
template <expression E>
auto cumulative_simpson(const E& y, double dx = 1, int axis = -1) {
    using T = inexact_t<typename E::value_type>;
    const auto a = evaluate(detail::as_type<T>(y));
    const int d = detail::normalize_axis(axis, E::rank, "cumulative_simpson");
    if (a.shape()[d] < 3) return cumulative_trapezoid(a, dx, d);
    return detail::cumulative_simpson_along(a, d, [=](index_t, index_t) { return dx; });
}
/// Of samples at the places `x`, in order and all different: of rank 1, as many as the axis has elements, or of y's
/// shape. Throws shape_error otherwise. Differentiable in the places, too.
template <expression E, expression X>
auto cumulative_simpson(const E& y, const X& x, int axis = -1) {
    using T = inexact_t<typename E::value_type>;
    const auto a = evaluate(detail::as_type<T>(y));
    const int d = detail::normalize_axis(axis, E::rank, "cumulative_simpson");
    const auto places = detail::broadcast_along(evaluate(x), a.shape(), d, "cumulative_simpson", "places");
    if (a.shape()[d] < 3) return cumulative_trapezoid(a, x, d);
    const auto widths = evaluate(detail::widths_between(places, d));
    return detail::cumulative_simpson_along(
        a, d, [&](index_t first, index_t count) { return detail::stretch_of(widths, d, first, count); });
}

/// The integral along an axis of 2^k + 1 samples `dx` apart by Romberg's method: trapezoids of every 2^k-th sample, of
/// half as far ones, ..., extrapolated. Integers give double. Linear. Throws shape_error for another number of samples.
/// (scipy.integrate.romb.)
template <expression E>
auto romb(const E& y, double dx = 1, int axis = -1) {
    using T = inexact_t<typename E::value_type>;
    const auto a = evaluate(detail::as_type<T>(y));
    const int d = detail::normalize_axis(axis, E::rank, "romb");
    const index_t intervals = a.shape()[d] - 1;
    if (intervals < 1 || (intervals & (intervals - 1)) != 0)
        detail::raise<shape_error>({"[romb] 2^k + 1 samples, not ", intervals + 1});
    using Y = std::remove_cvref_t<decltype(evaluate(trapezoid(a, dx, d)))>;
    std::vector<Y> row;  // the extrapolations of one step after the other
    for (index_t step = intervals; step > 0; step /= 2) {
        Y next = evaluate(
            trapezoid(detail::steps_of(a, d, 0, step, intervals / step + 1), dx * static_cast<double>(step), d));
        double power = 1;
        for (Y& before : row) {
            power *= 4;
            Y better = evaluate(next + (next - before) / real_t<T>(power - 1));
            before = std::exchange(next, better);
        }
        row.push_back(next);
    }
    return row.back();
}

/// The n places in [-1, 1], ascending, and weights with which a weighted sum of a function's values is its integral,
/// exactly for polynomials of degree 2 n - 1: auto [places, weights] = gauss_legendre(5). Throws value_error unless n
/// is positive. (numpy.polynomial.legendre.leggauss.)
template <class T = double>
std::array<tensor<T, 1>, 2> gauss_legendre(index_t n) {
    if (n < 1) detail::raise<value_error>({"[gauss_legendre] the number of places must be positive: ", n});
    const auto places = tensor<double, 1>::uninitialized({n}), weights = tensor<double, 1>::uninitialized({n});
    detail::gauss_legendre_rule(n, places.data(), weights.data());
    return {detail::evaluate_as<T>(places), detail::evaluate_as<T>(weights)};
}

/// The integral of f from a to b, numbers or arrays that broadcast, by Gauss's quadrature of `n` places: f is called
/// once, with an array that has the places along a last axis of its own, and gives as many values. Differentiable in a
/// and b and in what f captures. (scipy.integrate.fixed_quad.)
template <class F, operand A, operand B>
auto fixed_quad(const F& f, const A& a, const B& b, index_t n = 5) {
    constexpr bool of_numbers = !expression<A> && !expression<B>;
    const auto as_line = [](const auto& end) {
        if constexpr (expression<decltype(end)>) {
            using T = inexact_t<typename std::remove_cvref_t<decltype(end)>::value_type>;
            return index(detail::evaluate_as<T>(end), ellipsis, newaxis);
        } else if constexpr (of_numbers) {
            return full(shape<1>{1}, static_cast<double>(end));
        } else {
            return static_cast<double>(end);
        }
    };
    const auto from = as_line(a);
    const auto half = evaluate((as_line(b) - from) * 0.5);
    const auto [places, weights] = gauss_legendre<typename std::remove_cvref_t<decltype(half)>::value_type>(n);
    return evaluate(sum(f(evaluate(from + half * (places + 1))) * (half * weights), -1));
}

}  // namespace ricci
