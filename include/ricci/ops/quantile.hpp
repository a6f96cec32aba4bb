// Order statistics: median, quantile, percentile, and the same of what is no NaN.
#pragma once
#include "join.hpp"
#include "scan.hpp"

namespace ricci {

/// What quantile makes of a place between two elements: a point on the line between them, the lower, the higher, the
/// middle of the two, or the one that is nearer (half way, the one of even place). Names are NumPy's.
enum class quantile_method { linear, lower, higher, midpoint, nearest };

namespace detail {

/// Where a fraction of n elements ends: at `place` in their order, or `weight` < 1 of the way from there to the next one.
struct quantile_rule {
    double fraction;
    quantile_method method;

    struct between {
        index_t place;
        double weight;
    };
    between operator()(index_t n) const {
        const double at = fraction * static_cast<double>(n - 1);
        double low = std::floor(at), weight = at - low;
        if (method == quantile_method::nearest) low = std::nearbyint(at);
        if (method == quantile_method::higher) low = std::ceil(at);
        if (method == quantile_method::midpoint && weight > 0) weight = 0.5;
        if (method != quantile_method::linear && method != quantile_method::midpoint) weight = 0;
        return {static_cast<index_t>(low), weight};
    }
};
/// The positions of the elements of each line between which a fraction of them ends, two along the axis or, where no line
/// wants the second, one, and how far from one to the other that is. Of a line with NaN the position of that; with Skips NaN
/// counts for nothing. No derivative.
template <bool Skips, int R>
struct quantile_op : opaque_op {
    static constexpr const char* name = Skips ? "nanquantile" : "quantile";
    int axis;
    quantile_rule rule;
    bool pair;

    template <class T, class D>
    auto value(const tensor<T, R, D>& x) const {
        want_line_kernels<D>();
        auto extents = x.shape();
        extents[axis] = pair ? 2 : 1;
        const auto at = tensor<std::int64_t, R, D>::uninitialized(extents);
        extents[axis] = 1;
        const auto weight = tensor<double, R, D>::uninitialized(extents);
        executor<D>::template order_positions<Skips>(x, at, weight, axis, rule);
        return make_pack(at, weight);
    }
    template <class Mapped, class A>
    auto call_batched(const A& a) const {
        return call(quantile_op<Skips, R + 1>{{}, axis + 1, rule, pair}, a);
    }
};
/// A point on the line from `lower` to `upper`, the fraction `weight` < 1 of the way: at an infinite end, unless the other is
/// the opposite one.
template <class L, class U, class W>
auto between(const L& lower, const U& upper, const W& weight) {
    const auto slope = abs(lower) < std::numeric_limits<double>::infinity() || upper == -lower;
    return lower + where(slope, weight * (upper - lower), 0);
}
template <bool Skips, class E>
auto quantile_along(const E& x, const quantile_rule& rule, int axis, const char* who) {
    static_assert(!is_complex_v<typename E::value_type>, "ricci: complex numbers have no order");
    static_assert(E::rank >= 1, "ricci: quantiles along an axis need an array of rank 1 or more");
    using T = inexact_t<typename E::value_type>;
    const auto a = evaluate(as_type<T>(x));
    const int d = normalize_axis(axis, E::rank, who);
    const index_t n = a.shape()[d];
    if (!(rule.fraction >= 0 && rule.fraction <= 1))
        raise<value_error>(
            {"[", who, "] the fraction must lie between 0 and 1: ", std::to_string(rule.fraction).c_str()});
    if (n == 0) raise<value_error>({"[", who, "] of an empty axis: shape ", a.shape(), " has no elements there"});
    const bool joins = rule.method == quantile_method::linear || rule.method == quantile_method::midpoint;
    const bool pair = joins && (Skips || rule(n).weight > 0);
    const auto found = call(quantile_op<Skips, E::rank>{{}, d, rule, pair}, stop_gradient(a));
    const auto elements = take_along_axis(a, get<0>(found), d);
    const auto lower = squeeze(stretch_of(elements, d, 0, 1), d);
    if (!pair) return evaluate(lower);
    return evaluate(between(lower, squeeze(stretch_of(elements, d, 1, 1), d), astype<T>(squeeze(get<1>(found), d))));
}
/// f(fraction) for each of a list, stacked.
template <int N, class F>
auto for_fractions(const double (&q)[N], const F& f) {
    std::vector<decltype(f(q[0]))> parts;
    for (const double fraction : q) parts.push_back(f(fraction));
    return stack(parts);
}

}  // namespace detail

/// The middle element along an axis in sorted order, of an even number the lower of two; NaN if there is one.
/// Integers give double. Throws value_error for an empty axis. The derivative goes to where the element came from.
/// (torch.median; quantile(x, 0.5, axis) is numpy.median.)
template <expression E>
auto median(const E& x, int axis) {
    return detail::quantile_along<false>(x, {0.5, quantile_method::lower}, axis, "median");
}
template <expression E>
auto median(const E& x) {
    return median(ravel(x), 0);
}

/// The value below which a `fraction` of the elements along an axis lies: at fraction (n - 1) in sorted order, between two
/// elements as `method` says. NaN if there is one. Throws value_error unless 0 <= fraction <= 1, and for an empty axis. The
/// derivative goes to where these elements came from. (numpy.quantile, torch.quantile.)
template <expression E, std::convertible_to<double> Q>
auto quantile(const E& x, Q fraction, int axis, quantile_method method = quantile_method::linear) {
    return detail::quantile_along<false>(x, {static_cast<double>(fraction), method}, axis, "quantile");
}
template <expression E, std::convertible_to<double> Q>
auto quantile(const E& x, Q fraction, quantile_method method = quantile_method::linear) {
    return quantile(ravel(x), fraction, 0, method);
}
/// The same for several fractions, which become axis 0 of the result: quantile(x, {0.25, 0.75}, axis).
template <expression E, int N>
auto quantile(const E& x, const double (&q)[N], int axis, quantile_method method = quantile_method::linear) {
    const auto a = evaluate(x);
    return detail::for_fractions(q, [&](double fraction) { return quantile(a, fraction, axis, method); });
}
template <expression E, int N>
auto quantile(const E& x, const double (&q)[N], quantile_method method = quantile_method::linear) {
    return quantile(ravel(x), q, 0, method);
}

/// quantile of the fraction percent / 100: percentile(x, 90, 0). Throws value_error unless 0 <= percent <= 100.
/// (numpy.percentile.)
template <expression E, std::convertible_to<double> Q>
auto percentile(const E& x, Q percent, int axis, quantile_method method = quantile_method::linear) {
    return detail::quantile_along<false>(x, {static_cast<double>(percent) / 100, method}, axis, "percentile");
}
template <expression E, std::convertible_to<double> Q>
auto percentile(const E& x, Q percent, quantile_method method = quantile_method::linear) {
    return percentile(ravel(x), percent, 0, method);
}
/// The same for several, which become axis 0 of the result: percentile(x, {5, 95}, axis).
template <expression E, int N>
auto percentile(const E& x, const double (&q)[N], int axis, quantile_method method = quantile_method::linear) {
    const auto a = evaluate(x);
    return detail::for_fractions(q, [&](double percent) { return percentile(a, percent, axis, method); });
}
template <expression E, int N>
auto percentile(const E& x, const double (&q)[N], quantile_method method = quantile_method::linear) {
    return percentile(ravel(x), q, 0, method);
}

/// quantile of the elements that are no NaN, NaN where there is none. Throws value_error unless 0 <= fraction <= 1, and for an
/// empty axis. (numpy.nanquantile.)
template <expression E, std::convertible_to<double> Q>
auto nanquantile(const E& x, Q fraction, int axis, quantile_method method = quantile_method::linear) {
    return detail::quantile_along<true>(x, {static_cast<double>(fraction), method}, axis, "nanquantile");
}
template <expression E, std::convertible_to<double> Q>
auto nanquantile(const E& x, Q fraction, quantile_method method = quantile_method::linear) {
    return nanquantile(ravel(x), fraction, 0, method);
}
/// median of the elements that are no NaN, the lower of two in the middle; NaN where there is none. (torch.nanmedian.)
template <expression E>
auto nanmedian(const E& x, int axis) {
    return detail::quantile_along<true>(x, {0.5, quantile_method::lower}, axis, "nanmedian");
}
template <expression E>
auto nanmedian(const E& x) {
    return nanmedian(ravel(x), 0);
}

}  // namespace ricci
