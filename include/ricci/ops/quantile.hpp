// Order statistics: median, quantile, percentile, and the same of what is no NaN.
#pragma once
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "elementwise/where.hpp"
#include "join.hpp"
#include "rearrange.hpp"
#include "reduce.hpp"
#include "scan.hpp"
#include "stop_gradient.hpp"

namespace ricci {

/// What quantile makes of a place between two elements: a point on the line between them, the lower, the higher, the
/// middle of the two, or the one that is nearer (half way, the one of even place); or a quantile of the distribution
/// that the elements are a sample of, by the other definitions of Hyndman and Fan (1996). Names are NumPy's.
enum class quantile_method {
    linear,
    lower,
    higher,
    midpoint,
    nearest,
    inverted_cdf,
    averaged_inverted_cdf,
    closest_observation,
    interpolated_inverted_cdf,
    hazen,
    weibull,
    median_unbiased,
    normal_unbiased
};

namespace detail {

/// Where a fraction of n elements ends: at `place` in their order, or `weight` < 1 of the way from there to the next
/// one.
struct quantile_rule {
    double fraction;
    quantile_method method;

    struct between {
        index_t place;
        double weight;
    };
    RICCI_HD between operator()(index_t n) const {
        if (method > quantile_method::nearest) return of_distribution(static_cast<double>(n));
        const double at = unfused(fraction, static_cast<double>(n - 1));
        double low = std::floor(at), weight = at - low;
        if (method == quantile_method::nearest) low = std::nearbyint(at);
        if (method == quantile_method::higher) low = std::ceil(at);
        if (method == quantile_method::midpoint && weight > 0) weight = 0.5;
        if (method != quantile_method::linear && method != quantile_method::midpoint) weight = 0;
        return {static_cast<index_t>(low), weight};
    }
    /// Whether there is anything between two elements.
    bool joins() const {
        return method == quantile_method::linear || method == quantile_method::midpoint ||
               method == quantile_method::averaged_inverted_cdf || method >= quantile_method::interpolated_inverted_cdf;
    }

   private:
    /// Not fused with what is added, which would be what rounding took.
    RICCI_HD static double unfused(double a, double b) {
#if defined(__CUDA_ARCH__)
        return __dmul_rn(a, b);
#else
        return a * b;
#endif
    }
    /// How far the continuous definitions stay from both ends, in elements: the place is n q + a + q (1 - 2 a) - 1.
    RICCI_HD double end_distance() const {
        switch (method) {
            case quantile_method::hazen:
                return 0.5;
            case quantile_method::median_unbiased:
                return 1.0 / 3;
            case quantile_method::normal_unbiased:
                return 3.0 / 8;
            default:
                return 0;
        }
    }
    /// Steps of the sample's distribution, n q, and lines through some point of each.
    RICCI_HD between of_distribution(double n) const {
        const double steps = unfused(n, fraction);
        double at = steps - 1;
        if (method >= quantile_method::hazen) {
            const double shift = unfused(fraction, 1 - 2 * end_distance());
            at = steps + (end_distance() + shift) - 1;
        }
        if (method == quantile_method::closest_observation) at -= 0.5;
        double low = std::floor(at), weight = at - low;
        const bool step = weight == 0, even = low == 2 * std::floor(low / 2);
        if (method == quantile_method::averaged_inverted_cdf) weight = step ? 0.5 : 1;
        if (method == quantile_method::inverted_cdf) weight = step ? 0 : 1;
        if (method == quantile_method::closest_observation) weight = step && !even ? 0 : 1;
        if (weight == 1) {
            low += 1;
            weight = 0;
        }
        if (low < 0) return {0, 0};
        if (low >= n - 1) return {static_cast<index_t>(n) - 1, 0};
        return {static_cast<index_t>(low), weight};
    }
};
/// The positions of the elements of each line between which a fraction of them ends, two along the axis or, where no
/// line wants the second, one, and how far from one to the other that is. Of a line with NaN the position of that; with
/// Skips NaN counts for nothing. No derivative.
template <bool Skips, int R>
struct quantile_op : opaque_op {
    static constexpr const char* name = Skips ? "nanquantile" : "quantile";
    int axis;
    quantile_rule rule;
    bool pair;

    template <class T, class D>
    auto value(const tensor<T, R, D>& x) const {
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
/// A point on the line from `lower` to `upper`, the fraction `weight` < 1 of the way: at an infinite end, unless the
/// other is the opposite one.
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
    if (n == 0) raise<value_error>({"[", who, "] of an empty axis: shape ", a.shape(), " has no elements there"});
    const bool pair = rule.joins() && (Skips || rule(n).weight > 0);
    const auto found = call(quantile_op<Skips, E::rank>{{}, d, rule, pair}, stop_gradient(a));
    const auto elements = take_along_axis(a, get<0>(found), d);
    const auto lower = squeeze(stretch_of(elements, d, 0, 1), d);
    if (!pair) return evaluate(lower);
    return evaluate(between(lower, squeeze(stretch_of(elements, d, 1, 1), d), astype<T>(squeeze(get<1>(found), d))));
}
/// The given axes as one, behind the others.
template <int N, class A>
auto joined_last(const A& a, const int* axes, const char* who) {
    constexpr int R = A::rank;
    bool joined[R] = {};
    for (int i = 0; i < N; ++i) joined[normalize_axis(axes[i], R, who)] = true;
    int order[R], at = 0;
    shape<R - N + 1> lines;
    lines[R - N] = 1;
    for (const bool last : {false, true})
        for (int d = 0; d < R; ++d) {
            if (joined[d] != last) continue;
            if (last) lines[R - N] *= a.shape()[d];
            else lines[at] = a.shape()[d];
            order[at++] = d;
        }
    return reshaped(permute(a, order), lines);
}
template <bool Skips, int N, class Keep, class E>
auto quantile_axes(const E& x, const quantile_rule& rule, const int* axes, const char* who) {
    const auto a = evaluate(x);
    const reduction_axes<E::rank, N, Keep> over(a.shape(), axes, who);
    const auto found = [&] {
        if constexpr (N == 1) return quantile_along<Skips>(a, rule, axes[0], who);
        else if constexpr (N < 0) return quantile_along<Skips>(ravel(a), rule, 0, who);
        else return quantile_along<Skips>(joined_last<N>(a, axes, who), rule, -1, who);
    }();
    if constexpr (std::is_same_v<Keep, keepdims_t>) return reshaped(found, over.result);
    else return found;
}

template <class O>
concept quantile_option = std::is_same_v<O, quantile_method> || keep_option<O>;

/// What quantile and its like are told behind the axes, in any order.
template <quantile_option... O>
struct quantile_options {
    static_assert((std::is_same_v<O, quantile_method> + ... + 0) <= 1 && (keep_option<O> + ... + 0) <= 1,
                  "ricci: quantiles take one method and one keepdims");
    using keep = std::conditional_t<(std::is_same_v<O, keepdims_t> || ...), keepdims_t, dropdims_t>;
    quantile_method method = quantile_method::linear;

    explicit quantile_options(const O&... options) { (set(options), ...); }

   private:
    void set(quantile_method m) { method = m; }
    template <keep_option K>
    void set(K) {}
};
/// What says which fraction: a number, or an array of several.
template <class Q>
concept fraction = std::convertible_to<Q, double> || (expression<Q> && std::remove_cvref_t<Q>::rank > 0);

template <bool Skips, int N, class E, std::convertible_to<double> Q, class... O>
auto quantiles(const E& x, const Q& fraction, double whole, const int* axes, const char* who, const O&... options) {
    const quantile_options<O...> o(options...);
    const auto q = static_cast<double>(fraction);
    if (!(q >= 0 && q <= whole))
        raise<value_error>({"[", who, "] the ", whole == 1 ? "fraction" : "percent", " must lie between 0 and ",
                            static_cast<index_t>(whole), ": ", q});
    return quantile_axes<Skips, N, typename quantile_options<O...>::keep>(x, {q / whole, o.method}, axes, who);
}
/// Those of each of some fractions, stacked; of none, none.
template <bool Skips, int N, class E, class... O>
auto stacked_quantiles(const E& x, std::span<const double> fractions, double whole, const int* axes, const char* who,
                       const O&... options) {
    const auto a = evaluate(x);
    std::vector<decltype(quantiles<Skips, N>(a, 0.0, whole, axes, who, options...))> parts;
    for (const double q : fractions) parts.push_back(quantiles<Skips, N>(a, q, whole, axes, who, options...));
    if (!parts.empty()) return stack(parts);
    parts.push_back(quantiles<Skips, N>(a, 0.0, whole, axes, who, options...));
    return stretch_of(stack(parts), 0, 0, 0);
}
template <bool Skips, int N, int Q, class E, class... O>
auto quantiles(const E& x, const double (&fractions)[Q], double whole, const int* axes, const char* who,
               const O&... options) {
    return stacked_quantiles<Skips, N>(x, fractions, whole, axes, who, options...);
}
/// Those of an array of fractions, whose axes come first.
template <bool Skips, int N, class E, expression Q, class... O>
    requires(Q::rank > 0)
auto quantiles(const E& x, const Q& fractions, double whole, const int* axes, const char* who, const O&... options) {
    const auto q = evaluate_as<double>(plain_values(stop_gradient(fractions), who,
                                                    "under vmap all members of the batch must share the fractions"))
                       .clone();
    const auto y = stacked_quantiles<Skips, N>(x, q.span(), whole, axes, who, options...);
    constexpr int R = std::remove_cvref_t<decltype(y)>::rank - 1;
    shape<Q::rank + R> extents;
    for (int d = 0; d < Q::rank; ++d) extents[d] = q.shape()[d];
    for (int d = 0; d < R; ++d) extents[Q::rank + d] = y.shape()[d + 1];
    return reshaped(y, extents);
}

}  // namespace detail

/// The middle element in sorted order along an axis, over several or all; of an even number the lower of two; NaN if
/// there is one. Integers give double. Throws value_error for an empty axis. The derivative goes to where the element
/// came from. (torch.median; quantile(x, 0.5, axis) is numpy.median.)
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto median(const E& x, Axis axis, Keep keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::quantiles<false, 1>(x, 0.5, 1, &number, "median", quantile_method::lower, keep);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto median(const E& x, const int (&axes)[N], Keep keep = {}) {
    return detail::quantiles<false, N>(x, 0.5, 1, axes, "median", quantile_method::lower, keep);
}
template <expression E, keep_option Keep = dropdims_t>
auto median(const E& x, Keep keep = {}) {
    return detail::quantiles<false, -1>(x, 0.5, 1, nullptr, "median", quantile_method::lower, keep);
}

/// The value below which a `fraction` of the elements along an axis lies, over several or all: at fraction (n - 1) in
/// sorted order, between two elements as a quantile_method says that may follow, as may `keepdims`. NaN if there is
/// one. Throws value_error unless 0 <= fraction <= 1, and for an empty axis. Between a number and an infinity all is
/// that infinity, between the two infinities NaN. The derivative goes to where these elements came from.
/// (numpy.quantile, torch.quantile, which have NaN from the middle between a number and an infinity on.)
template <expression E, detail::fraction Q, std::integral Axis, detail::quantile_option... O>
auto quantile(const E& x, Q fraction, Axis axis, O... options) {
    const int number = detail::axis_number(axis);
    return detail::quantiles<false, 1>(x, fraction, 1, &number, "quantile", options...);
}
template <expression E, detail::fraction Q, int N, detail::quantile_option... O>
auto quantile(const E& x, Q fraction, const int (&axes)[N], O... options) {
    return detail::quantiles<false, N>(x, fraction, 1, axes, "quantile", options...);
}
template <expression E, detail::fraction Q, detail::quantile_option... O>
auto quantile(const E& x, Q fraction, O... options) {
    return detail::quantiles<false, -1>(x, fraction, 1, nullptr, "quantile", options...);
}
/// The same for several fractions, which become axis 0 of the result: quantile(x, {0.25, 0.75}, axis). The axes of an
/// array of fractions, in the number's place, come before the others. It has no derivative.
template <expression E, int Q, std::integral Axis, detail::quantile_option... O>
auto quantile(const E& x, const double (&fractions)[Q], Axis axis, O... options) {
    const int number = detail::axis_number(axis);
    return detail::quantiles<false, 1>(x, fractions, 1, &number, "quantile", options...);
}
template <expression E, int Q, int N, detail::quantile_option... O>
auto quantile(const E& x, const double (&fractions)[Q], const int (&axes)[N], O... options) {
    return detail::quantiles<false, N>(x, fractions, 1, axes, "quantile", options...);
}
template <expression E, int Q, detail::quantile_option... O>
auto quantile(const E& x, const double (&fractions)[Q], O... options) {
    return detail::quantiles<false, -1>(x, fractions, 1, nullptr, "quantile", options...);
}

template <expression E>
auto quantile(const E& x) {
    static_assert(always_false<E>,
                  "ricci: quantile is told the fraction: quantile(x, 0.5), quantile(x, {0.25, 0.75}, 0)");
    return x;
}

/// quantile of the fraction percent / 100: percentile(x, 90, 0). Throws value_error unless 0 <= percent <= 100.
/// (numpy.percentile.)
template <expression E, detail::fraction Q, std::integral Axis, detail::quantile_option... O>
auto percentile(const E& x, Q percent, Axis axis, O... options) {
    const int number = detail::axis_number(axis);
    return detail::quantiles<false, 1>(x, percent, 100, &number, "percentile", options...);
}
template <expression E, detail::fraction Q, int N, detail::quantile_option... O>
auto percentile(const E& x, Q percent, const int (&axes)[N], O... options) {
    return detail::quantiles<false, N>(x, percent, 100, axes, "percentile", options...);
}
template <expression E, detail::fraction Q, detail::quantile_option... O>
auto percentile(const E& x, Q percent, O... options) {
    return detail::quantiles<false, -1>(x, percent, 100, nullptr, "percentile", options...);
}
/// The same for several, which become axis 0 of the result: percentile(x, {5, 95}, axis).
template <expression E, int Q, std::integral Axis, detail::quantile_option... O>
auto percentile(const E& x, const double (&percents)[Q], Axis axis, O... options) {
    const int number = detail::axis_number(axis);
    return detail::quantiles<false, 1>(x, percents, 100, &number, "percentile", options...);
}
template <expression E, int Q, int N, detail::quantile_option... O>
auto percentile(const E& x, const double (&percents)[Q], const int (&axes)[N], O... options) {
    return detail::quantiles<false, N>(x, percents, 100, axes, "percentile", options...);
}
template <expression E, int Q, detail::quantile_option... O>
auto percentile(const E& x, const double (&percents)[Q], O... options) {
    return detail::quantiles<false, -1>(x, percents, 100, nullptr, "percentile", options...);
}

template <expression E>
auto percentile(const E& x) {
    static_assert(always_false<E>,
                  "ricci: percentile is told the percent: percentile(x, 90), percentile(x, {5, 95}, 0)");
    return x;
}

/// quantile of the elements that are no NaN, NaN where there is none. Throws value_error unless 0 <= fraction <= 1, and
/// for an empty axis. (numpy.nanquantile.)
template <expression E, detail::fraction Q, std::integral Axis, detail::quantile_option... O>
auto nanquantile(const E& x, Q fraction, Axis axis, O... options) {
    const int number = detail::axis_number(axis);
    return detail::quantiles<true, 1>(x, fraction, 1, &number, "nanquantile", options...);
}
template <expression E, detail::fraction Q, int N, detail::quantile_option... O>
auto nanquantile(const E& x, Q fraction, const int (&axes)[N], O... options) {
    return detail::quantiles<true, N>(x, fraction, 1, axes, "nanquantile", options...);
}
template <expression E, detail::fraction Q, detail::quantile_option... O>
auto nanquantile(const E& x, Q fraction, O... options) {
    return detail::quantiles<true, -1>(x, fraction, 1, nullptr, "nanquantile", options...);
}
/// The same for several fractions, which become axis 0 of the result.
template <expression E, int Q, std::integral Axis, detail::quantile_option... O>
auto nanquantile(const E& x, const double (&fractions)[Q], Axis axis, O... options) {
    const int number = detail::axis_number(axis);
    return detail::quantiles<true, 1>(x, fractions, 1, &number, "nanquantile", options...);
}
template <expression E, int Q, int N, detail::quantile_option... O>
auto nanquantile(const E& x, const double (&fractions)[Q], const int (&axes)[N], O... options) {
    return detail::quantiles<true, N>(x, fractions, 1, axes, "nanquantile", options...);
}
template <expression E, int Q, detail::quantile_option... O>
auto nanquantile(const E& x, const double (&fractions)[Q], O... options) {
    return detail::quantiles<true, -1>(x, fractions, 1, nullptr, "nanquantile", options...);
}

/// nanquantile of the fraction percent / 100, or of several. (numpy.nanpercentile.)
template <expression E, detail::fraction Q, std::integral Axis, detail::quantile_option... O>
auto nanpercentile(const E& x, Q percent, Axis axis, O... options) {
    const int number = detail::axis_number(axis);
    return detail::quantiles<true, 1>(x, percent, 100, &number, "nanpercentile", options...);
}
template <expression E, detail::fraction Q, int N, detail::quantile_option... O>
auto nanpercentile(const E& x, Q percent, const int (&axes)[N], O... options) {
    return detail::quantiles<true, N>(x, percent, 100, axes, "nanpercentile", options...);
}
template <expression E, detail::fraction Q, detail::quantile_option... O>
auto nanpercentile(const E& x, Q percent, O... options) {
    return detail::quantiles<true, -1>(x, percent, 100, nullptr, "nanpercentile", options...);
}
template <expression E, int Q, std::integral Axis, detail::quantile_option... O>
auto nanpercentile(const E& x, const double (&percents)[Q], Axis axis, O... options) {
    const int number = detail::axis_number(axis);
    return detail::quantiles<true, 1>(x, percents, 100, &number, "nanpercentile", options...);
}
template <expression E, int Q, int N, detail::quantile_option... O>
auto nanpercentile(const E& x, const double (&percents)[Q], const int (&axes)[N], O... options) {
    return detail::quantiles<true, N>(x, percents, 100, axes, "nanpercentile", options...);
}
template <expression E, int Q, detail::quantile_option... O>
auto nanpercentile(const E& x, const double (&percents)[Q], O... options) {
    return detail::quantiles<true, -1>(x, percents, 100, nullptr, "nanpercentile", options...);
}

/// median of the elements that are no NaN, the lower of two in the middle; NaN where there is none. (torch.nanmedian.)
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto nanmedian(const E& x, Axis axis, Keep keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::quantiles<true, 1>(x, 0.5, 1, &number, "nanmedian", quantile_method::lower, keep);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto nanmedian(const E& x, const int (&axes)[N], Keep keep = {}) {
    return detail::quantiles<true, N>(x, 0.5, 1, axes, "nanmedian", quantile_method::lower, keep);
}
template <expression E, keep_option Keep = dropdims_t>
auto nanmedian(const E& x, Keep keep = {}) {
    return detail::quantiles<true, -1>(x, 0.5, 1, nullptr, "nanmedian", quantile_method::lower, keep);
}

}  // namespace ricci
