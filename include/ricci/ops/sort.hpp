// Order: sort, argsort, partition, lexsort, topk, kthvalue; NaN comes last.
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
/// Refuses a place that an axis does not have.
template <class E>
void check_place(const E& x, index_t kth, int axis, const char* who) {
    static_assert(E::rank >= 1, "ricci: partition needs an array of rank 1 or more");
    const index_t n = x.shape()[normalize_axis(axis, E::rank, who)];
    if (x.shape().count() > 0 && (kth < -n || kth >= n))
        raise<index_error>({"[", who, "] place ", kth, " is out of bounds for an axis of ", n, " elements"});
}

}  // namespace detail

/// The elements along an axis in ascending order (or descending), NaN last either way; equal ones keep their order.
/// The derivative goes to where each element came from.
template <expression E>
[[nodiscard]] auto sort(const E& x, int axis = -1, detail::yes_or_no descending = false) {
    static_assert(E::rank >= 1, "ricci: sort needs an array of rank 1 or more");
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "sort");
    using A = std::remove_cvref_t<decltype(a)>;
    if constexpr (std::is_void_v<typename A::wrapper>) {
        static_assert(!is_complex_v<typename E::value_type>, "ricci: complex numbers have no order");
        const auto y = a.clone();
        executor<device_t<A>>::sort(y, d, descending);
        return y;
    } else {
        return take_along_axis(a, detail::sorted_positions(a, d, descending), d);
    }
}
/// Where the elements of sort(x) come from: 64-bit integers.
template <expression E>
auto argsort(const E& x, int axis = -1, detail::yes_or_no descending = false) {
    static_assert(E::rank >= 1, "ricci: argsort needs an array of rank 1 or more");
    return detail::sorted_positions(evaluate(x), detail::normalize_axis(axis, E::rank, "argsort"), descending);
}

/// The elements along an axis, the one at `kth` where it stands in sorted order, none greater before it and none less
/// behind it; NaN last. (numpy.partition.) Throws index_error for a place that the axis does not have, unless there are
/// no elements.
template <expression E>
auto partition(const E& x, index_t kth, int axis = -1) {
    detail::check_place(x, kth, axis, "partition");
    const auto a = evaluate(x);
    using A = std::remove_cvref_t<decltype(a)>;
    if (a.shape().count() == 0) return sort(a, axis);
    if constexpr (std::is_void_v<typename A::wrapper>) {
        static_assert(!is_complex_v<typename E::value_type>, "ricci: complex numbers have no order");
        const int d = detail::normalize_axis(axis, E::rank, "partition");
        const auto y = a.clone();
        executor<device_t<A>>::partition(y, kth < 0 ? kth + a.shape()[d] : kth, d);
        return y;
    } else {
        return sort(a, axis);
    }
}
/// Where elements in such an order come from: 64-bit integers. Of rank 1 those up to `kth` are sorted where they are an
/// eighth of all or fewer.
template <expression E>
auto argpartition(const E& x, index_t kth, int axis = -1) {
    detail::check_place(x, kth, axis, "argpartition");
    const auto a = evaluate(x);
    using A = std::remove_cvref_t<decltype(a)>;
    if constexpr (A::rank == 1 && std::is_void_v<typename A::wrapper>) {
        const index_t n = a.size(), count = (kth < 0 ? kth + n : kth) + 1;
        if (n == 0) return argsort(a, axis);
        if (count <= n / 8) {  // few: all others follow as they stand
            const auto first = detail::sorted_positions(a, 0, false, count);
            auto others = ones<bool>(a.shape(), device_t<A>{});
            others(first) = false;
            return concat({first, flatnonzero(others)});
        }
        const auto v = partition(a, count - 1)(count - 1);
        if (evaluate(v != v).item()) return concat({flatnonzero(a == a), flatnonzero(a != a)});
        return concat({flatnonzero(a < v), flatnonzero(a == v), flatnonzero(!(a <= v))});
    }
    return argsort(a, axis);
}

namespace detail {

/// An order of lexsort, and then by the keys that follow; by one under a transform it is under that, too.
template <class Order>
Order ordered_by(const Order& order) {
    return order;
}
template <class Order, class Key, class... Keys>
auto ordered_by(const Order& order, const Key& given, const Keys&... others) {
    const auto key = evaluate(stop_gradient(given));
    if (key.size() != order.size())
        raise<shape_error>({"[lexsort] keys of different lengths: ", key.size(), " and ", order.size()});
    return ordered_by(take(order, argsort(take(key, order, 0)), 0), others...);
}

}  // namespace detail

/// The order that sorts by several keys of one length, the last one first: where it ties the one before it decides, and
/// so on. lexsort(rc::tuple(second, first)); 64-bit integers. (numpy.lexsort.)
template <expression First, expression... Keys>
auto lexsort(const std::tuple<First, Keys...>& keys) {
    static_assert(First::rank == 1 && ((Keys::rank == 1) && ...), "ricci: lexsort takes keys of rank 1");
    return std::apply(
        [](const auto& first, const auto&... others) { return detail::ordered_by(argsort(first), others...); }, keys);
}

/// The `k` largest elements along an axis (or smallest) in order, and where they come from: `auto [values, indices]`,
/// or .values and .indices. NaN counts as less than all (or greater). Throws value_error unless 0 <= k <= the axis.
template <expression E>
auto topk(const E& x, index_t k, int axis = -1, detail::yes_or_no largest = true) {
    static_assert(E::rank >= 1, "ricci: topk needs an array of rank 1 or more");
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "topk");
    if (k < 0 || k > a.shape()[d])
        detail::raise<value_error>(
            {"[topk] ", k, " elements of axis ", d, " of shape ", a.shape(), ", which has ", a.shape()[d]});
    const auto at = detail::sorted_positions(a, d, largest, k);
    return detail::selected(take_along_axis(a, at, d), at);
}

/// The `k`th smallest element along an axis, the first for k = 1, and where it comes from, the earliest first of equal
/// ones: `auto [values, indices]`, or .values and .indices. NaN counts as greater than all. The derivative goes to the
/// position. Throws value_error unless 1 <= k <= the axis. (torch.kthvalue.)
template <expression E, keep_option Keep = dropdims_t>
auto kthvalue(const E& x, index_t k, int axis = -1, Keep = {}) {
    static_assert(E::rank >= 1, "ricci: kthvalue needs an array of rank 1 or more");
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "kthvalue");
    if (k < 1 || k > a.shape()[d])
        detail::raise<value_error>(
            {"[kthvalue] element ", k, " of axis ", d, " of shape ", a.shape(), ", which has 1 to ", a.shape()[d]});
    const auto at = detail::stretch_of(detail::sorted_positions(a, d, false, k), d, k - 1, 1);
    const auto values = take_along_axis(a, at, d);
    if constexpr (std::is_same_v<Keep, keepdims_t>) return detail::selected(values, evaluate(at));
    else return detail::selected(squeeze(values, d), squeeze(evaluate(at), d));
}

}  // namespace ricci
