// Functions known by samples: interp, digitize, gradient, simpson; and by coefficients: polyval.
#pragma once
#include <array>
#include <limits>

#include "../core/optional_value.hpp"
#include "scan.hpp"
#include "searchsorted.hpp"
#include "sort.hpp"

namespace ricci {
namespace detail {

// Slopes of parabolas through three samples, whatever their distances `before` and `after`; in differences, so that
// constants have the slope 0.

/// The slope in the middle.
template <class L, class M, class R, class B, class A>
auto middle_slope(const L& left, const M& middle, const R& right, const B& before, const A& after) {
    return (square(before) * (right - middle) + square(after) * (middle - left)) / (before * after * (before + after));
}
/// The slope at the first one.
template <class L, class M, class R, class B, class A>
auto end_slope(const L& first, const M& second, const R& third, const B& before, const A& after) {
    return (before + after) / (before * after) * (second - first) -
           before / (after * (before + after)) * (third - first);
}
/// Differences of samples at distances `step`, an array that broadcasts against all but one of them along the axis.
template <class A, class H>
auto sampled_gradient(const A& y, const H& step, int axis, int edge_order) {
    const index_t n = y.shape()[axis];
    const auto at = [&](index_t first, index_t count) { return stretch_of(y, axis, first, count); };
    const auto gap = [&](index_t first, index_t count) { return stretch_of(step, axis, first, count); };
    const auto inside = evaluate(middle_slope(at(0, n - 2), at(1, n - 2), at(2, n - 2), gap(0, n - 2), gap(1, n - 2)));
    if (edge_order == 1)
        return concat(std::make_tuple(evaluate((at(1, 1) - at(0, 1)) / gap(0, 1)), inside,
                                      evaluate((at(n - 1, 1) - at(n - 2, 1)) / gap(n - 2, 1))),
                      axis);
    return concat(
        std::make_tuple(evaluate(end_slope(at(0, 1), at(1, 1), at(2, 1), gap(0, 1), gap(1, 1))), inside,
                        evaluate(-end_slope(at(n - 1, 1), at(n - 2, 1), at(n - 3, 1), gap(n - 2, 1), gap(n - 3, 1)))),
        axis);
}
/// Differences of samples at one distance: no slope depends on its own sample but at the ends.
template <class A>
auto even_gradient(const A& y, double step, int axis, int edge_order) {
    const index_t n = y.shape()[axis];
    const auto at = [&](index_t first, index_t count) { return stretch_of(y, axis, first, count); };
    const auto end = [&](index_t i, index_t inwards) {
        const index_t low = std::min(i, i + inwards);  // upwards, so that constants have the slope +0 at both ends
        if (edge_order == 1) return evaluate((at(low + 1, 1) - at(low, 1)) / step);
        const auto rise = at(i + inwards, 1) - at(i, 1);
        const double by = static_cast<double>(inwards) * step;
        return evaluate((4 * rise - (at(i + 2 * inwards, 1) - at(i, 1))) / (2 * by));
    };
    const auto inside = evaluate((at(2, n - 2) - at(0, n - 2)) / (2 * step));
    return concat(std::make_tuple(end(0, 1), inside, end(n - 1, -1)), axis);
}
/// interp at a place between its neighbours p0 and p1, in one map.
template <class T>
struct line_through {
    template <class X, class P0, class P1, class V0, class V1, class First, class Last, class Left, class Right>
    RICCI_HD constexpr auto operator()(const X& at, const P0& p0, const P1& p1, const V0& v0, const V1& v1,
                                       const First& first_place, const Last& last_place, const Left& left,
                                       const Right& right) const {
        // else there is one place, or several at the last one, whose value is that of the last of them
        const auto wide = p1 > p0;
        // no slope between infinite values: those of a place count there, and beside it the infinite one of the two, if
        // it is one
        const T infinity = std::numeric_limits<T>::infinity();
        const auto bounded = abs(v0) < infinity && abs(v1) < infinity;
        const auto slope = where(wide && bounded, (v1 - v0) / where(wide, p1 - p0, T(1)), T(0));
        // at the last place from there, so that its value is exact, too
        const auto first = wide && at != p1 && p0 > -infinity;
        const auto line = where(first, v0, v1) + (at - where(first || !wide, p0, p1)) * slope;
        const auto beside = v0 + v1 + (at - at);
        // places have their values, whatever is infinite; elsewhere by the line, which has a derivative at places, too
        const auto exact = wide && !(bounded && abs(slope) < infinity && abs(at) < infinity);
        const auto between = where(!wide || bounded, line, beside);
        const auto inside = where(exact && at == p0, v0, where(exact && at == p1, v1, between));
        return where(at < first_place, left, where(at > last_place, right, inside));
    }
};
inline void check_gradient(index_t n, int edge_order) {
    if (edge_order != 1 && edge_order != 2)
        detail::raise<value_error>({"[gradient] edge_order must be 1 or 2: ", edge_order});
    if (n < edge_order + 1)
        detail::raise<shape_error>(
            {"[gradient] an axis of ", n, " samples is too short: edge_order ", edge_order, " takes ", edge_order + 1});
}

}  // namespace detail

/// The values at `x`, of any shape, of the function that goes in straight lines through the points (places, values),
/// both of rank 1, places ascending; `left` of the first and `right` of the last place its value there unless given.
/// NaN at NaN. Beside an infinite value all is that infinity, between the two infinities NaN. Derivatives with respect
/// to x (at a place the slope behind it; 0 outside), places and values. Throws shape_error unless there are as many
/// places as values, at least one. (numpy.interp.)
template <expression E, expression P, expression V>
auto interp(const E& x, const P& places, const V& values, detail::optional_value<double> left = {},
            detail::optional_value<double> right = {}) {
    static_assert(P::rank == 1 && V::rank == 1, "ricci: interp takes places and values of rank 1");
    using T = inexact_t<common_t<typename E::value_type, typename P::value_type, typename V::value_type>>;
    const auto at = detail::evaluate_as<T>(x);
    const auto p = detail::evaluate_as<T>(places);
    const auto v = detail::evaluate_as<T>(values);
    const index_t n = p.size();
    if (n == 0 || v.size() != n)
        detail::raise<shape_error>({"[interp] places of shape ", p.shape(), " with values of shape ", v.shape()});
    const auto behind = searchsorted(stop_gradient(p), stop_gradient(at), true);
    const auto low = evaluate(clip(behind - 1, 0, std::max<index_t>(n - 2, 0)));
    const slice next(std::min<index_t>(1, n - 1), none);
    const auto p0 = take(p, low, 0), p1 = take(index(p, next), low, 0);
    const auto v0 = take(v, low, 0), v1 = take(index(v, next), low, 0);
    const auto end = [&](const detail::optional_value<double>& given, index_t k) {
        using W = std::remove_cvref_t<decltype(evaluate(index(v, k)))>;
        return given ? W(lift(full<T>(shape<0>{}, static_cast<T>(*given), device_t<W>{}), index(v, k)))
                     : W(evaluate(index(v, k)));
    };
    return evaluate(map(detail::line_through<T>{}, at, p0, p1, v0, v1, index(p, 0), index(p, n - 1), end(left, 0),
                        end(right, n - 1)));
}
/// At one place, of rank 0.
template <scalar_value X, expression P, expression V>
auto interp(X x, const P& places, const V& values, detail::optional_value<double> left = {},
            detail::optional_value<double> right = {}) {
    return interp(full(shape<0>{}, x), places, values, left, right);
}

/// Which of the bins that the ascending or descending `edges` (rank 1) bound each of `x` lies in: i where
/// edges[i-1] <= x < edges[i] (ascending; with `right`, edges[i-1] < x <= edges[i]), 0 before the first and
/// edges.size() behind the last edge. 64-bit integers of x's shape; no derivative. Throws value_error for edges in no
/// order. (numpy.digitize; torch.bucketize is the one with right = true.)
template <expression E, expression B>
auto digitize(const E& x, const B& edges, detail::yes_or_no right = false) {
    static_assert(B::rank == 1, "ricci: digitize takes edges of rank 1");
    const auto list = evaluate(stop_gradient(edges));
    const index_t n = list.size();
    const bool descending = n > 1 && sum(index(list, 0) > index(list, n - 1)).item() != 0;
    if (n > 2) {
        const auto before = index(list, slice(none, -1)), behind = index(list, slice(1, none));
        if ((descending ? sum(before < behind).item() : sum(before > behind).item()) != 0)
            detail::raise<value_error>({"[digitize] edges that neither ascend nor descend throughout"});
    }
    if (!descending) return evaluate(searchsorted(list, x, !right));
    return evaluate(n - searchsorted(flip(list), x, !right));
}
template <expression E, scalar_value B, std::size_t N>
auto digitize(const E& x, const B (&edges)[N], detail::yes_or_no right = false) {
    return digitize(x, detail::array_in_braces<typename E::value_type>(edges), right);
}

/// The slope along an axis of a function known by samples `spacing` apart: central differences, and one-sided ones at
/// the ends, of first or second order. Integers give double. Throws shape_error where the axis has fewer than
/// edge_order + 1 samples. (numpy.gradient with an axis; Fornberg 1988.)
template <expression E>
auto gradient(const E& y, double spacing, int axis, int edge_order = 1) {
    using T = inexact_t<typename E::value_type>;
    const auto a = detail::evaluate_as<T>(y);
    const int d = detail::normalize_axis(axis, E::rank, "gradient");
    detail::check_gradient(a.shape()[d], edge_order);
    return detail::even_gradient(a, spacing, d, edge_order);
}
/// Along every axis: of a matrix auto [down, right] = gradient(y), as a std::array; of a vector its slope.
/// (numpy.gradient.)
template <expression E>
auto gradient(const E& y, double spacing = 1) {
    static_assert(E::rank >= 1, "ricci: gradient takes an array of rank 1 or more");
    const auto a = evaluate(y);
    if constexpr (E::rank == 1) {
        return gradient(a, spacing, 0);
    } else {
        return [&]<std::size_t... D>(std::index_sequence<D...>) {
            return std::array{gradient(a, spacing, int(D))...};
        }(std::make_index_sequence<E::rank>{});
    }
}
/// Of samples at the places `x`: of rank 1, as many as the axis has, or of y's shape. Throws shape_error otherwise.
template <expression E, expression X>
auto gradient(const E& y, const X& x, int axis, int edge_order = 1) {
    using T = inexact_t<typename E::value_type>;
    const auto a = detail::evaluate_as<T>(y);
    const int d = detail::normalize_axis(axis, E::rank, "gradient");
    detail::check_gradient(a.shape()[d], edge_order);
    const auto places = detail::broadcast_along(detail::evaluate_as<T>(x), a.shape(), d, "gradient", "places");
    return detail::sampled_gradient(a, diff(places, 1, d), d, edge_order);
}
template <expression E, expression X>
auto gradient(const E& y, const X& x) {
    static_assert(E::rank == 1, "ricci: places along which axis? gradient(y, x, 0)");
    return gradient(y, x, -1);
}
/// Along every axis, with a distance or places for each: gradient(y, {0.1, 0.2}), gradient(y, rc::tuple(u, 0.2)).
template <expression E, class... X>
auto gradient(const E& y, const std::tuple<X...>& spacings, int edge_order = 1) {
    static_assert(sizeof...(X) == E::rank, "ricci: gradient takes a distance, or places, for each axis");
    const auto a = evaluate(y);
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
        return std::array{gradient(a, std::get<D>(spacings), int(D), edge_order)...};
    }(std::index_sequence_for<X...>{});
}
template <expression E, int N>
    requires(N > 1)
auto gradient(const E& y, const double (&spacings)[N], int edge_order = 1) {
    return gradient(y, std::tuple_cat(std::to_array(spacings)), edge_order);
}
template <expression E, std::floating_point S, class... More>
auto gradient(const E& y, double, S, More...) {
    static_assert(always_false<E>, "ricci: gradient takes a distance for each axis in braces: gradient(y, {0.1, 0.2})");
    return y;
}

/// The polynomial with the given coefficients, the highest power's first, at each of x, by Horner's rule.
/// (numpy.polyval.)
template <expression C, expression E>
auto polyval(const C& coefficients, const E& x) {
    static_assert(C::rank == 1, "ricci: polyval takes coefficients of rank 1");
    using T = promote_t<typename C::value_type, typename E::value_type>;
    const auto c = detail::evaluate_as<T>(coefficients);
    const auto at = detail::evaluate_as<T>(x);
    auto y = lift(full<T>(at.shape(), T(0), device_t<E>{}), at, c);
    for (index_t k = 0; k < c.size(); ++k) y = evaluate(y * at + index(c, k));
    return y;
}
/// At a number: of rank 0, of the type that the coefficients have in arithmetic with it.
template <expression C, element X>
auto polyval(const C& coefficients, X x) {
    using T = typename decltype(coefficients * x)::value_type;
    return polyval(coefficients, full(shape<0>{}, static_cast<T>(x)));
}

namespace detail {

/// Simpson's rule along an axis of three samples or more at distances `width(first, step, count)`, arrays or numbers:
/// parabolas through three samples, one after the other, and of an even number the last one's share of the last
/// interval (Cartwright 2017).
template <class A, class W>
auto simpson_along(const A& y, int axis, const W& width) {
    const index_t n = y.shape()[axis], parabolas = (n - 1) / 2;
    const auto at = [&](index_t first) { return steps_of(y, axis, first, 2, parabolas); };
    const auto before = width(0, 2, parabolas), after = width(1, 2, parabolas);
    const auto both = before + after;
    const auto whole =
        sum(both / 6 *
                ((2 - after / before) * at(0) + both * both / (before * after) * at(1) + (2 - before / after) * at(2)),
            axis);
    if (n % 2 == 1) return evaluate(whole);
    const auto last = [&](index_t back) { return stretch_of(y, axis, n - back, 1); };
    const auto h = width(n - 3, 1, 1), g = width(n - 2, 1, 1);
    const auto rest =
        g / 6 * ((2 * g + 3 * h) / (g + h) * last(1) + (g + 3 * h) / h * last(2) - g * g / (h * (g + h)) * last(3));
    return evaluate(whole + sum(rest, axis));
}

}  // namespace detail

/// The integral along an axis by Simpson's rule, of samples `dx` apart: exact for cubics where their number is odd, for
/// parabolas where it is even; of two samples trapezoid's. Integers give double. Linear in the samples.
/// (scipy.integrate.simpson.)
template <expression E>
auto simpson(const E& y, double dx = 1, int axis = -1) {
    using T = inexact_t<typename E::value_type>;
    const auto a = evaluate(detail::as_type<T>(y));
    const int d = detail::normalize_axis(axis, E::rank, "simpson");
    if (a.shape()[d] < 3) return trapezoid(a, dx, d);
    return detail::simpson_along(a, d, [=](index_t, index_t, index_t) { return dx; });
}
/// Of samples at the places `x`, in order and all different, exact for parabolas: of rank 1, as many as the axis has
/// elements, or of y's shape. Throws shape_error otherwise. Differentiable in the places, too.
template <expression E, expression X>
auto simpson(const E& y, const X& x, int axis = -1) {
    using T = inexact_t<typename E::value_type>;
    const auto a = evaluate(detail::as_type<T>(y));
    const int d = detail::normalize_axis(axis, E::rank, "simpson");
    const auto places = detail::broadcast_along(evaluate(x), a.shape(), d, "simpson", "places");
    if (a.shape()[d] < 3) return trapezoid(a, x, d);
    const auto widths = evaluate(detail::widths_between(places, d));
    return detail::simpson_along(a, d, [&](index_t first, index_t step, index_t count) {
        return detail::steps_of(widths, d, first, step, count);
    });
}

}  // namespace ricci
