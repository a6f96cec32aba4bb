// Curves through points: cubic_spline, cubic_hermite_spline, pchip, akima.
#pragma once
#include "../linalg/banded.hpp"
#include "../sampled.hpp"
#include "piecewise.hpp"

namespace ricci {

/// What a cubic spline does at its ends: have a third derivative that does not jump at the second and the last place
/// but one, a second derivative of 0, a first derivative of 0, or go on where it began.
enum class spline_ends { not_a_knot, natural, clamped, periodic };

namespace detail {

/// Places (n,) and values (n, k): what slopes are computed of.
template <class X, class Y>
struct spline_points {
    X x;
    Y y;
    index_t n;

    auto steps() const { return evaluate(as_column(diff(x))); }
    template <class H>
    auto slopes(const H& h) const {
        return evaluate(diff(y, 1, 0) / h);
    }
};
/// Checks what stands for points: places of rank 1 that ascend, values whose first axis is as long.
template <class X, class Y>
void check_points(const X& x, const Y& y, const char* who) {
    const index_t n = x.shape()[0];
    if (n < 2 || y.shape()[0] != n)
        raise<shape_error>({"[", who, "] two places or more and as many values: ", x.shape(), " and ", y.shape()});
    require_all(stop_gradient(index(x, slice(1, none)) > index(x, slice(none, -1))), who, "the places must ascend");
}
/// The cubics of values and slopes, both (n, k), at the places.
template <class P, class S, int R>
auto hermite_cubics(const P& points, const S& slope, const shape<R>& values, bool periodic) {
    const auto h = points.steps();
    const auto& y = points.y;
    const index_t n = points.n;
    const auto rise = points.slopes(h);
    const auto first = stretch_of(slope, 0, 0, n - 1), second = stretch_of(slope, 0, 1, n - 1);
    const auto excess = evaluate((first + second - 2 * rise) / h);
    const auto c = stack(std::make_tuple(evaluate(excess / h), evaluate((rise - first) / h - excess),
                                         evaluate(first + 0 * rise), evaluate(stretch_of(y, 0, 0, n - 1) + 0 * rise)),
                         0);
    shape<R + 1> extents;
    extents[0] = 4;
    extents[1] = n - 1;
    for (int d = 1; d < R; ++d) extents[d + 1] = values[d];
    const auto coefficients = evaluate(reshape(c, extents));
    return piecewise_polynomial<std::remove_cvref_t<decltype(points.x)>, std::remove_cvref_t<decltype(coefficients)>>{
        points.x, coefficients, periodic};
}
/// f(points) as slopes, of values with any further axes.
template <class X, class Y, class F>
auto spline_through(const X& places, const Y& values, const char* who, bool periodic, const F& slopes) {
    static_assert(X::rank == 1 && Y::rank >= 1, "ricci: a spline goes through values (n, ...) at places (n,)");
    using T = compute_t<inexact_t<common_t<typename X::value_type, typename Y::value_type>>>;
    static_assert(std::is_floating_point_v<T>, "ricci: splines are of real numbers");
    const auto x = evaluate_as<T>(places);
    const auto y = evaluate_as<T>(values);
    check_points(x, y, who);
    const index_t n = x.shape()[0], k = y.size() / n;
    const auto flat = evaluate(reshape(y, shape<2>{n, k}));
    const spline_points<std::remove_cvref_t<decltype(x)>, std::remove_cvref_t<decltype(flat)>> points{x, flat, n};
    return hermite_cubics(points, slopes(points), y.shape(), periodic);
}

/// a, rows of b, c: one below the other.
template <class... A>
auto rows_of(const A&... a) {
    return concat(std::make_tuple(evaluate(a)...), 0);
}

/// The slopes at the places of a spline with continuous second derivatives, from its tridiagonal system.
template <class P>
auto open_spline_slopes(const P& p, spline_ends ends) {
    const index_t n = p.n;
    const auto h = p.steps();
    const auto rise = p.slopes(h);
    const auto at = [](const auto& a, index_t first, index_t count = 1) { return stretch_of(a, 0, first, count); };
    using S = std::remove_cvref_t<decltype(evaluate(at(rise, 0) + at(h, 0)))>;
    if (n == 2 && ends == spline_ends::not_a_knot) return S(rows_of(rise, rise));
    if (n == 3 && ends == spline_ends::not_a_knot) {  // the parabola
        const auto a = at(p.y, 0), b = at(p.y, 1), c = at(p.y, 2);
        const auto left = at(h, 0), right = at(h, 1);
        return S(rows_of(end_slope(a, b, c, left, right), middle_slope(a, b, c, left, right),
                         -end_slope(c, b, a, right, left)));
    }
    using H = std::remove_cvref_t<decltype(evaluate(at(h, 0) + at(h, 0)))>;
    const auto one = evaluate(at(h, 0) * 0 + 1), none_of = evaluate(at(h, 0) * 0);
    // a row at an end: the diagonal's element, the one beside it, the right side
    const auto end = [&](index_t outer, index_t inner) {
        const auto first = at(h, outer), second = at(h, inner);
        if (ends == spline_ends::clamped) return std::make_tuple(H(one), H(none_of), S(evaluate(0 * at(rise, outer))));
        if (ends == spline_ends::natural)
            return std::make_tuple(H(evaluate(2 * one)), H(one), S(evaluate(3 * at(rise, outer))));
        const auto both = evaluate(first + second);
        return std::make_tuple(
            H(second), H(both),
            S(evaluate(((first + 2 * both) * second * at(rise, outer) + square(first) * at(rise, inner)) / both)));
    };
    const auto [d0, u0, b0] = end(0, std::min<index_t>(1, n - 2));
    const auto [dn, ln, bn] = end(n - 2, std::max<index_t>(n - 3, 0));
    const auto before = at(h, 0, n - 2), after = at(h, 1, n - 2);
    const auto line = [](const auto& column) { return evaluate(reshape(column, shape<1>{column.shape()[0]})); };
    const auto right = rows_of(b0, 3 * (after * at(rise, 0, n - 2) + before * at(rise, 1, n - 2)), bn);
    return S(linalg::solve_tridiagonal(line(rows_of(after, ln)), line(rows_of(d0, 2 * (before + after), dn)),
                                       line(rows_of(u0, before)), right));
}
/// The same of one that goes on where it began: all but the last equation, for two right sides, then the last one.
template <class P>
auto periodic_spline_slopes(const P& p) {
    const index_t n = p.n, m = n - 1;  // unknowns: the last slope is the first
    const auto h = p.steps();
    const auto rise = p.slopes(h);
    const auto at = [](const auto& a, index_t first, index_t count = 1) { return stretch_of(a, 0, first, count); };
    using S = std::remove_cvref_t<decltype(evaluate(at(rise, 0) + at(h, 0)))>;
    if (m == 1) return S(rows_of(0 * rise, 0 * rise));
    const auto h_before = rows_of(at(h, m - 1), at(h, 0, m - 1));
    const auto rise_before = rows_of(at(rise, m - 1), at(rise, 0, m - 1));
    const auto main = evaluate(2 * (h_before + h));
    const auto right = evaluate(3 * (h * rise_before + h_before * rise));
    const auto line = [](const auto& column) { return evaluate(reshape(column, shape<1>{column.shape()[0]})); };
    // what the last unknown adds to the first equation and to the last but one
    const auto first = rows_of(at(h, 0), 0 * at(h, 0, m - 2)), last = rows_of(0 * at(h, 0, m - 2), at(h_before, m - 2));
    const auto both = concat(std::make_tuple(at(right, 0, m - 1), evaluate(first + last)), 1);
    const auto solved =
        linalg::solve_tridiagonal(line(at(h, 1, m - 2)), line(at(main, 0, m - 1)), line(at(h_before, 0, m - 2)), both);
    const index_t k = p.y.shape()[1];
    const auto u = stretch_of(solved, 1, 0, k), v = stretch_of(solved, 1, k, 1);
    const auto pivot = at(main, m - 1) - at(h, m - 1) * at(v, m - 2) - at(h_before, m - 1) * at(v, 0);
    const auto z = evaluate((at(right, m - 1) - at(h, m - 1) * at(u, m - 2) - at(h_before, m - 1) * at(u, 0)) / pivot);
    const auto others = evaluate(u - v * z);
    return S(rows_of(others, z, at(others, 0)));
}

/// Slopes that keep what rises rising: the harmonic mean of those on either side, 0 where one of these is or they
/// differ in sign (Fritsch and Butland 1984).
template <class P>
auto monotone_slopes(const P& p) {
    const index_t n = p.n;
    const auto h = p.steps();
    const auto rise = p.slopes(h);
    const auto at = [](const auto& a, index_t first, index_t count = 1) { return stretch_of(a, 0, first, count); };
    if (n == 2) return rows_of(rise, rise);
    const auto before = at(h, 0, n - 2), after = at(h, 1, n - 2);
    const auto left = at(rise, 0, n - 2), right = at(rise, 1, n - 2);
    const auto same = evaluate(sign(left) * sign(right) > 0);
    const auto near = evaluate(2 * after + before), far = evaluate(after + 2 * before);
    const auto inside = where(same, (near + far) * left * right / where(same, near * right + far * left, 1), 0 * left);
    const auto end = [&](index_t outer, index_t inner) {
        const auto a = at(rise, outer), b = at(rise, inner);
        const auto first = at(h, outer), second = at(h, inner);
        const auto slope = evaluate(((2 * first + second) * a - first * b) / (first + second));
        const auto limited = where(sign(a) != sign(b) && abs(slope) > 3 * abs(a), 3 * a, slope);
        return evaluate(where(sign(slope) != sign(a), 0 * slope, limited));
    };
    return rows_of(end(0, 1), inside, end(n - 2, n - 3));
}

/// Slopes by those of two intervals on either side, which count the more, the less the other two differ (Akima 1970).
template <class P>
auto local_slopes(const P& p) {
    const index_t n = p.n;
    const auto h = p.steps();
    const auto rise = p.slopes(h);
    const auto at = [](const auto& a, index_t first, index_t count = 1) { return stretch_of(a, 0, first, count); };
    if (n == 2) return rows_of(rise, rise);
    const auto low = evaluate(2 * at(rise, 0) - at(rise, 1)), high = evaluate(2 * at(rise, n - 2) - at(rise, n - 3));
    const auto m = rows_of(2 * low - at(rise, 0), low, rise, high, 2 * high - at(rise, n - 2));
    const auto change = evaluate(abs(diff(m, 1, 0)));
    const auto before = at(change, 0, n), after = at(change, 2, n), both = evaluate(before + after);
    const auto counts = evaluate(both > 1e-9 * max(both, 0, keepdims));
    const auto weighted = (after * at(m, 1, n) + before * at(m, 2, n)) / where(counts, both, 1);
    return evaluate(where(counts, weighted, 0.5 * (at(m, 0, n) + at(m, 3, n))));
}

}  // namespace detail

/// The cubic spline through the points (places, values): continuous up to the second derivative. `places` (n,) ascend;
/// `values` (n, ...) have a function's values along the first axis. f(x), f.derivative(), f.antiderivative() and
/// f.integrate(a, b) are those of a piecewise_polynomial. Of not_a_knot ends two points are joined by a line, three by
/// a parabola; of periodic ones the last value must be the first. By a tridiagonal system, on the CPU; differentiable
/// in places, values and x. Throws shape_error for fewer than two points, or another number of values; value_error for
/// places that do not ascend and ends that do not meet. (scipy.interpolate.CubicSpline.)
template <expression X, expression Y>
auto cubic_spline(const X& places, const Y& values, spline_ends ends = spline_ends::not_a_knot) {
    const bool periodic = ends == spline_ends::periodic;
    return detail::spline_through(places, values, "cubic_spline", periodic, [&](const auto& points) {
        using S = std::remove_cvref_t<decltype(detail::open_spline_slopes(points, ends))>;
        if (!periodic) return detail::open_spline_slopes(points, ends);
        const auto& y = points.y;
        const auto gap = abs(index(y, 0) - index(y, -1));
        using T = typename std::remove_cvref_t<decltype(y)>::value_type;
        const T rounding = 8 * std::numeric_limits<T>::epsilon();
        detail::require_all(stop_gradient(gap <= rounding * (1 + abs(index(y, 0)))), "cubic_spline",
                            "of periodic ends the last value must be the first");
        return S(detail::periodic_spline_slopes(points));
    });
}
/// The cubics with the given values and slopes (n, ...) at the places (n,). Else as cubic_spline.
/// (scipy.interpolate.CubicHermiteSpline.)
template <expression X, expression Y, expression S>
auto cubic_hermite_spline(const X& places, const Y& values, const S& slopes) {
    static_assert(Y::rank == S::rank, "ricci: cubic_hermite_spline takes a slope for each value");
    using T = compute_t<inexact_t<common_t<typename X::value_type, typename Y::value_type>>>;
    const auto s = detail::evaluate_as<T>(slopes);
    if (s.shape() != values.shape())
        detail::raise<shape_error>(
            {"[cubic_hermite_spline] a slope for each value: ", s.shape(), " and ", values.shape()});
    return detail::spline_through(places, values, "cubic_hermite_spline", false,
                                  [&](const auto& points) { return evaluate(reshape(s, points.y.shape())); });
}
/// The cubics that rise where the values do, with a continuous slope, 0 at the highest and lowest of them (Fritsch and
/// Butland 1984). Else as cubic_spline. (scipy.interpolate.PchipInterpolator.)
template <expression X, expression Y>
auto pchip(const X& places, const Y& values) {
    return detail::spline_through(places, values, "pchip", false,
                                  [](const auto& points) { return detail::monotone_slopes(points); });
}
/// The cubics with slopes by five neighbours, which outliers disturb nearby alone (Akima 1970). Else as cubic_spline;
/// beyond the ends it goes on, too. (scipy.interpolate.Akima1DInterpolator.)
template <expression X, expression Y>
auto akima(const X& places, const Y& values) {
    return detail::spline_through(places, values, "akima", false,
                                  [](const auto& points) { return detail::local_slopes(points); });
}

}  // namespace ricci
