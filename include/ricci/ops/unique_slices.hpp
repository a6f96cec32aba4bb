// The distinct slices of an array along an axis: unique_values and its kin with an axis.
#pragma once
#include "sets.hpp"

namespace ricci {
namespace detail {

/// The slices of an array along an axis in lexicographic order: the array, where they come from, and which of them in
/// that order are the first of their kind.
template <class E>
auto slices_in_order(const E& x, int axis, const char* who) {
    static_assert(E::rank >= 1, "ricci: unique_values along an axis needs an array of rank 1 or more");
    const auto a = evaluate(plain_values(stop_gradient(x), who, values_decide));
    const int d = normalize_axis(axis, E::rank, who);
    const index_t n = a.shape()[d];
    const index_t length = n > 0 ? a.size() / n : 0;
    const auto rows = evaluate(reshape(moveaxis(a, d, 0), shape<2>{n, length}));
    auto order = evaluate(arange<std::int64_t>(n, device_t<E>{}));
    // by one column after the other, the last one first: the sorts keep the order of what is equal
    for (index_t k = length; k-- > 0;) order = take(order, argsort(take(index(rows, all, k), order, 0)), 0);
    const auto sorted = take(rows, order, 0);
    auto first = full<bool>(shape<1>{n}, true, device_t<E>{});
    if (n > 0)
        write(index(first, slice(1, none)), any(index(sorted, slice(1, none)) != index(sorted, slice(0, -1)), 1));
    return std::make_tuple(a, order, first);
}

}  // namespace detail

/// The distinct slices along an axis, in lexicographic order, each that holds a NaN by itself: the distinct rows of a
/// matrix along axis 0. The shape is that of `x` but for that axis; otherwise as unique_values(x). Takes a sort for
/// each element of a slice. (numpy.unique(x, axis=0), torch.unique(x, dim=0).) Throws index_error for an axis that `x`
/// does not have.
template <expression E>
auto unique_values(const E& x, int axis) {
    const auto [a, order, first] = detail::slices_in_order(x, axis, "unique_values");
    return take(a, compress(first, order, 0), axis);
}
/// The distinct slices, and how often each occurs, as unique_counts(x).
template <expression E>
auto unique_counts(const E& x, int axis) {
    const auto [a, order, first] = detail::slices_in_order(x, axis, "unique_counts");
    return detail::named<unique_counts_result>(
        detail::make_pack(take(a, compress(first, order, 0), axis), detail::run_lengths(first)));
}
/// The distinct slices, and for each slice of `x` which of them it is (rank 1), as unique_inverse(x).
template <expression E>
auto unique_inverse(const E& x, int axis) {
    const auto [a, order, first] = detail::slices_in_order(x, axis, "unique_inverse");
    return detail::named<unique_inverse_result>(
        detail::make_pack(take(a, compress(first, order, 0), axis), detail::run_numbers(first, order, order.shape())));
}
/// The distinct slices, where each occurs first along the axis, which of them each slice of `x` is (rank 1), and how
/// often each occurs, as unique_all(x).
template <expression E>
auto unique_all(const E& x, int axis) {
    const auto [a, order, first] = detail::slices_in_order(x, axis, "unique_all");
    const auto places = compress(first, order, 0);
    return detail::named<unique_all_result>(detail::make_pack(
        take(a, places, axis), places, detail::run_numbers(first, order, order.shape()), detail::run_lengths(first)));
}

}  // namespace ricci
