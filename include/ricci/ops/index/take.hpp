// Elements selected along an axis: take, index_select.
#pragma once
#include "advanced.hpp"

namespace ricci {

/// The elements of `x` along an axis at the positions `indices` (integers of any type and rank, negative ones counted
/// from the end), whose axes take the place of that axis. Throws index_error for a position or an axis out of range.
/// (numpy.take.)
template <expression E, expression I>
auto take(const E& x, const I& indices, int axis) {
    static_assert(E::rank >= 1, "ricci: take needs an array of rank 1 or more");
    static_assert(std::is_integral_v<typename I::value_type> && !std::is_same_v<typename I::value_type, bool>,
                  "ricci: the indices must be integers");
    const int at = detail::normalize_axis(axis, E::rank, "take");
    return evaluate(detail::select_from(evaluate(x), at, &at, detail::placed<device_t<E>>(indices)));
}
template <expression E, int N>
auto take(const E& x, const position (&indices)[N], int axis) {
    return take(x, index_array(indices), axis);
}
/// At one position, without that axis: a row of a matrix is take(x, 3, 0).
template <expression E, std::integral I>
auto take(const E& x, I at, int axis) {
    const auto row = take(x, {at}, axis);
    const int gone = detail::normalize_axis(axis, E::rank, "take");
    shape<E::rank - 1> rest;
    for (int d = 0; d < E::rank - 1; ++d) rest[d] = row.shape()[d < gone ? d : d + 1];
    return detail::reshaped(row, rest);
}
/// Without an axis, from all elements in row-major order.
template <expression E, expression I>
auto take(const E& x, const I& indices) {
    return take(reshape(x, {-1}), indices, 0);
}
template <expression E, int N>
auto take(const E& x, const position (&indices)[N]) {
    return take(x, index_array(indices));
}
template <expression E, std::integral I>
auto take(const E& x, I at) {
    return take(reshape(x, {-1}), at, 0);
}

/// The rows of `x` along `axis` at the positions `indices`, an array of rank 1. Throws index_error for a position or an
/// axis out of range. (torch.index_select.)
template <expression E, expression I>
auto index_select(const E& x, int axis, const I& indices) {
    static_assert(I::rank == 1, "ricci: index_select takes indices of rank 1; take those of any rank");
    return take(x, indices, axis);
}
template <expression E, int N>
auto index_select(const E& x, int axis, const position (&indices)[N]) {
    return take(x, indices, axis);
}

}  // namespace ricci
