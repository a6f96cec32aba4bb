// Order: sort, argsort, topk, median, quantile, searchsorted; NaN comes last.
#pragma once
#include "join.hpp"
#include "scan.hpp"
#include "search.hpp"

namespace ricci {
namespace detail {

/// The positions of the first elements of each line in sorted order; no derivative.
template <int R>
struct argsort_op : opaque_op {
    static constexpr const char* name = "argsort";
    int axis;
    bool descending;
    index_t count;  // -1 for all

    template <class T, class D>
    auto value(const tensor<T, R, D>& x) const {
        want_line_kernels<D>();
        auto extents = x.shape();
        if (count >= 0) extents[axis] = count;
        auto y = tensor<std::int64_t, R, D>::uninitialized(extents);
        executor<D>::argsort(x, y, axis, descending);
        return make_pack(y);
    }
    template <class Mapped, class A>
    auto call_batched(const A& a) const {
        return call(argsort_op<R + 1>{{}, axis + 1, descending, count}, a);
    }
};
template <class A>
auto sorted_positions(const A& a, int axis, bool descending, index_t count = -1) {
    static_assert(!is_complex_v<typename A::value_type>, "ricci: complex numbers have no order");
    return call1(argsort_op<A::rank>{{}, axis, descending, count}, stop_gradient(a));
}
/// Where elements stand in a sorted list; no derivative.
template <class List>
struct search_op : opaque_op {
    static constexpr const char* name = "searchsorted";
    List sorted;
    bool behind;

    template <class T, int R, class D>
    auto value(const tensor<T, R, D>& values) const {
        want_line_kernels<D>();
        auto y = tensor<std::int64_t, R, D>::uninitialized(values.shape());
        executor<D>::search_sorted(sorted, values, y, behind);
        return make_pack(y);
    }
    template <class Mapped, class A>
    auto call_batched(const A& a) const {
        return call(*this, a);
    }
};
inline void check_fraction(double q, const char* who) {
    if (!(q >= 0 && q <= 1))
        detail::raise<value_error>({"[", who, "] the fraction must lie between 0 and 1: ", std::to_string(q).c_str()});
}
template <int R>
void check_not_empty(const shape<R>& extents, int axis, const char* who) {
    if (extents[axis] == 0)
        detail::raise<value_error>({"[", who, "] of an empty axis: shape ", extents, " has no elements there"});
}
/// A point on the line from `lower` to `upper`, the fraction `weight` < 1 of the way: at an infinite end, unless the other is
/// the opposite one.
template <class L, class U, class W>
auto between(const L& lower, const U& upper, const W& weight) {
    const auto slope = abs(lower) < std::numeric_limits<double>::infinity() || upper == -lower;
    return lower + where(slope, weight * (upper - lower), 0);
}
/// The elements of each line at the places low and low + 1 of its sorted order, joined by `weight`: NaN where there
/// is one.
template <class A>
auto order_statistic(const A& a, int axis, index_t low, double weight) {
    using T = typename A::value_type;
    const auto at = sorted_positions(a, axis, false, low + (weight > 0 ? 2 : 1));
    const auto place = [&](index_t k) { return squeeze(take_along_axis(a, stretch_of(at, axis, k, 1), axis), axis); };
    const auto last = max(stop_gradient(a), axis);  // NaN if any is
    const auto nan = std::numeric_limits<T>::quiet_NaN();
    if (weight == 0) return evaluate(where(last == last, place(low), nan));
    const auto lower = place(low), upper = place(low + 1);
    return evaluate(where(last == last, between(lower, upper, weight), nan));
}

}  // namespace detail

/// The elements along an axis in ascending order (or descending), NaN last either way; equal ones keep their order.
/// The derivative goes to where each element came from.
template <expression E>
auto sort(const E& x, int axis = -1, bool descending = false) {
    static_assert(E::rank >= 1, "ricci: sort needs an array of rank 1 or more");
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "sort");
    using A = std::remove_cvref_t<decltype(a)>;
    if constexpr (std::is_void_v<typename A::wrapper>) {
        static_assert(!is_complex_v<typename E::value_type>, "ricci: complex numbers have no order");
        detail::want_line_kernels<device_t<A>>();
        const auto y = a.clone();
        executor<device_t<A>>::sort(y, d, descending);
        return y;
    } else {
        return take_along_axis(a, detail::sorted_positions(a, d, descending), d);
    }
}
/// Where the elements of sort(x) come from: 64-bit integers.
template <expression E>
auto argsort(const E& x, int axis = -1, bool descending = false) {
    static_assert(E::rank >= 1, "ricci: argsort needs an array of rank 1 or more");
    return detail::sorted_positions(evaluate(x), detail::normalize_axis(axis, E::rank, "argsort"), descending);
}

/// The `k` largest elements along an axis (or smallest) in order, and where they come from, as a std::tuple. NaN
/// counts as less than all (or greater). Throws value_error unless 0 <= k <= the axis.
template <expression E>
auto topk(const E& x, index_t k, int axis = -1, bool largest = true) {
    static_assert(E::rank >= 1, "ricci: topk needs an array of rank 1 or more");
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "topk");
    if (k < 0 || k > a.shape()[d])
        detail::raise<value_error>({"[topk] ", k, " elements of axis ", d, " of shape ", a.shape()});
    const auto at = detail::sorted_positions(a, d, largest, k);
    return std::make_tuple(take_along_axis(a, at, d), at);
}

/// The middle element along an axis in sorted order, of an even number the lower of two; NaN if there is one.
/// Integers give double. Throws value_error for an empty axis. (torch.median; quantile(x, 0.5, axis) is
/// numpy.median.)
template <expression E>
auto median(const E& x, int axis) {
    using T = inexact_t<typename E::value_type>;
    const auto a = evaluate(detail::as_type<T>(x));
    const int d = detail::normalize_axis(axis, E::rank, "median");
    const index_t n = a.shape()[d];
    detail::check_not_empty(a.shape(), d, "median");
    return detail::order_statistic(a, d, (n - 1) / 2, 0);
}
template <expression E>
auto median(const E& x) {
    return median(ravel(x), 0);
}

/// What quantile makes of a place between two elements: a point on the line between them, the lower, the higher, the
/// middle of the two, or the one that is nearer (half way, the one of even place). Names are NumPy's.
enum class quantile_method { linear, lower, higher, midpoint, nearest };

/// The value below which a `fraction` of the elements along an axis lies: at fraction (n - 1) in sorted order, between two
/// elements as `method` says. NaN if there is one. Throws value_error unless 0 <= fraction <= 1, and for an empty axis.
template <expression E, std::convertible_to<double> Q>
auto quantile(const E& x, Q fraction, int axis, quantile_method method = quantile_method::linear) {
    const double q = static_cast<double>(fraction);
    using T = inexact_t<typename E::value_type>;
    const auto a = evaluate(detail::as_type<T>(x));
    const int d = detail::normalize_axis(axis, E::rank, "quantile");
    const index_t n = a.shape()[d];
    detail::check_fraction(q, "quantile");
    detail::check_not_empty(a.shape(), d, "quantile");
    const double place = q * static_cast<double>(n - 1);
    double low = std::floor(place), weight = place - low;
    if (method == quantile_method::nearest) low = std::nearbyint(place);
    if (method == quantile_method::higher) low = std::ceil(place);
    if (method == quantile_method::midpoint && weight > 0) weight = 0.5;
    if (method != quantile_method::linear && method != quantile_method::midpoint) weight = 0;
    return detail::order_statistic(a, d, static_cast<index_t>(low), weight);
}
template <expression E, std::convertible_to<double> Q>
auto quantile(const E& x, Q fraction, quantile_method method = quantile_method::linear) {
    return quantile(ravel(x), fraction, 0, method);
}
/// The same for several fractions, which become axis 0 of the result: quantile(x, {0.25, 0.75}, axis). (numpy.quantile.)
template <expression E, int N>
auto quantile(const E& x, const double (&q)[N], int axis, quantile_method method = quantile_method::linear) {
    const auto a = evaluate(x);
    std::vector<decltype(quantile(a, q[0], axis, method))> parts;
    for (const double fraction : q) parts.push_back(quantile(a, fraction, axis, method));
    return stack(parts);
}
template <expression E, int N>
auto quantile(const E& x, const double (&q)[N], quantile_method method = quantile_method::linear) {
    return quantile(ravel(x), q, 0, method);
}

/// Where each of `values` would be put into `sorted` (rank 1, ascending, NaN last) to keep the order: in front of
/// equal elements, or behind them. 64-bit integers of values' shape, in the common type; no derivative.
template <expression S, expression V>
auto searchsorted(const S& sorted, const V& values, bool behind = false) {
    static_assert(S::rank == 1, "ricci: searchsorted takes a sorted list of rank 1");
    using T = promote_t<typename S::value_type, typename V::value_type>;
    static_assert(!is_complex_v<T>, "ricci: complex numbers have no order");
    const auto list = detail::plain_values(detail::evaluate_as<T>(sorted), "searchsorted",
                                           "under vmap all members of the batch must share the sorted list");
    const auto v = detail::evaluate_as<T>(stop_gradient(values));
    return detail::call1(detail::search_op<std::remove_cvref_t<decltype(list)>>{{}, list, behind}, v);
}

}  // namespace ricci
