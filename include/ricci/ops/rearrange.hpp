// Functions that put the elements of an array in another order or under other axes, by views where there is one: axes
// moved, added and dropped; flip, roll, tile, repeat; arrays split and unstacked.
#pragma once
#include <array>
#include <vector>

#include "index.hpp"
#include "join.hpp"

namespace ricci {
namespace detail {

/// The axes of a list as truth values; each may be named once.
template <int R, int N>
shape<R> named_axes(const int (&axes)[N], const char* who) {
    shape<R> named{};
    for (const int a : axes) {
        const int d = normalize_axis(a, R, who);
        if (named[d]) raise<index_error>({"[", who, "] axis ", d, " is named twice"});
        named[d] = 1;
    }
    return named;
}
/// The elements along some axes backwards. A view.
template <class A>
RICCI_INLINE auto flipped(const A& a, const shape<A::rank>& backwards) {
    auto spec = identity_view(a.shape());
    for (int d = 0; d < A::rank; ++d) {
        if (!backwards[d] || a.shape()[d] == 0) continue;
        spec.start[d] = a.shape()[d] - 1;
        spec.step[d] = -1;
    }
    return view_of(a, spec);
}
/// y, which is new, becomes `a` with the elements by[d] places on along axis d and those behind it.
template <class A, class Y>
void roll_into(const A& a, const Y& y, const shape<Y::rank>& by, int d = 0) {
    while (d < Y::rank && by[d] == 0) ++d;
    if (d == Y::rank) return executor<device_t<Y>>::copy(a, y);
    const index_t left = a.shape()[d] - by[d];
    roll_into(stretch_of(a, d, left, by[d]), stretch_of(y, d, 0, by[d]), by, d + 1);
    roll_into(stretch_of(a, d, 0, left), stretch_of(y, d, by[d], left), by, d + 1);
}
/// Each axis rolled by less than its extent.
template <class A>
auto rolled(A a, const shape<A::rank>& by) {
    if constexpr (std::is_void_v<typename A::wrapper>) {
        const auto y = tensor<typename A::value_type, A::rank, device_t<A>>::uninitialized(a.shape());
        roll_into(a, y, by);
        return y;
    } else {
        for (int d = 0; d < A::rank; ++d) {
            if (by[d] == 0) continue;
            std::vector<std::remove_cvref_t<decltype(stretch_of(a, d, 0, 0))>> parts;
            parts.push_back(stretch_of(a, d, a.shape()[d] - by[d], by[d]));
            parts.push_back(stretch_of(a, d, 0, a.shape()[d] - by[d]));
            a = concat_list(parts, d, "roll");
        }
        return a;
    }
}
template <int R>
void add_roll(shape<R>& by, const shape<R>& extents, index_t shift, int axis) {
    const int d = normalize_axis(axis, R, "roll");
    const index_t n = extents[d];
    if (n > 0) by[d] = (by[d] + (shift % n + n) % n) % n;
}
/// Each axis d as two, of which `times` tells how often the first (Outer) or the second repeats the other; joined
/// again.
template <bool Outer, class A>
auto repeated_axes(const A& a, const shape<A::rank>& times, const char* who) {
    constexpr int R = A::rank;
    view_spec<R, 2 * R> spec;
    shape<R> whole;
    for (int d = 0; d < R; ++d) {
        if (times[d] < 0)
            raise<value_error>({"[", who, "] the number of repetitions must not be negative: ", times[d]});
        const int own = 2 * d + (Outer ? 1 : 0), other = 2 * d + (Outer ? 0 : 1);
        spec.source[own] = d;
        spec.extents[own] = a.shape()[d];
        spec.source[other] = -1;
        spec.extents[other] = times[d];
        spec.step[own] = spec.step[other] = 1;
        if (a.shape()[d] > 0 && times[d] > std::numeric_limits<index_t>::max() / a.shape()[d])
            raise<value_error>({"[", who, "] the result's size overflows: ", a.shape()[d], " times ", times[d]});
        whole[d] = a.shape()[d] * times[d];
    }
    check_extents(whole, 1, who);
    return unshared(reshaped(view_of(a, spec), whole));
}

}  // namespace detail

/// Axis `from` at position `to`, the others in their order. A view. (numpy.moveaxis, of one axis.)
template <expression E>
auto moveaxis(const E& x, std::integral auto from, std::integral auto to) {
    const int source = detail::normalize_axis(detail::axis_number(from), E::rank, "moveaxis");
    return detail::move_axis(evaluate(x), source, detail::normalize_axis(detail::axis_number(to), E::rank, "moveaxis"));
}
/// Axes `from[i]` at positions `to[i]`, the others in their order. A view. Throws index_error for an axis named twice.
template <expression E, int N>
auto moveaxis(const E& x, const int (&from)[N], const int (&to)[N]) {
    constexpr int R = E::rank;
    const auto moved = detail::named_axes<R>(from, "moveaxis"), taken = detail::named_axes<R>(to, "moveaxis");
    int order[R];
    for (int i = 0; i < N; ++i)
        order[detail::normalize_axis(to[i], R, "moveaxis")] = detail::normalize_axis(from[i], R, "moveaxis");
    for (int d = 0, s = 0; d < R; ++d) {
        if (taken[d]) continue;
        while (moved[s]) ++s;
        order[d] = s++;
    }
    return permute(x, order);
}

/// Two axes exchanged. A view.
template <expression E>
auto swapaxes(const E& x, int a, int b) {
    return detail::exchange_axes(evaluate(x), detail::normalize_axis(a, E::rank, "swapaxes"),
                                 detail::normalize_axis(b, E::rank, "swapaxes"));
}

/// A new axis of extent 1 as axis `axis` of the result. A view. (torch.unsqueeze.)
template <expression E>
auto expand_dims(const E& x, std::integral auto axis) {
    return detail::unsqueeze(evaluate(x),
                             detail::normalize_axis(detail::axis_number(axis), E::rank + 1, "expand_dims"));
}
/// Several new ones, at these axes of the result.
template <expression E, int N>
auto expand_dims(const E& x, const int (&axes)[N]) {
    const auto is_new = detail::named_axes<E::rank + N>(axes, "expand_dims");
    const auto a = evaluate(x);
    shape<E::rank + N> to;
    int from = 0;
    for (int d = 0; d < E::rank + N; ++d) to[d] = is_new[d] ? 1 : a.shape()[from++];
    return detail::reshaped(a, to);
}

/// `x` with at least one axis, two or three: a vector becomes a row, (1, n), and (1, n, 1), a matrix (m, n, 1).
/// (numpy.atleast_1d, atleast_2d and atleast_3d.)
template <expression E>
auto atleast_1d(const E& x) {
    if constexpr (E::rank >= 1) return evaluate(x);
    else return expand_dims(x, 0);
}
template <expression E>
auto atleast_2d(const E& x) {
    if constexpr (E::rank >= 2) return evaluate(x);
    else return expand_dims(atleast_1d(x), 0);
}
template <expression E>
auto atleast_3d(const E& x) {
    if constexpr (E::rank >= 3) return evaluate(x);
    else return expand_dims(atleast_2d(x), -1);
}

/// Without the axes named, which must be of extent 1. A view. Which axes go is part of the result's type, so that they
/// are always named. Throws shape_error for another extent.
template <expression E, int N>
auto squeeze(const E& x, const int (&axes)[N]) {
    static_assert(N <= E::rank, "ricci: squeeze names more axes than the array has");
    const auto a = evaluate(x);
    const auto gone = detail::named_axes<E::rank>(axes, "squeeze");
    shape<E::rank - N> left;
    int to = 0;
    for (int d = 0; d < E::rank; ++d) {
        if (gone[d] && a.shape()[d] != 1)
            detail::raise<shape_error>(
                {"[squeeze] axis ", d, " of shape ", a.shape(), " has extent ", a.shape()[d], ", not 1"});
        if (!gone[d]) left[to++] = a.shape()[d];
    }
    return detail::reshaped(a, left);
}
template <expression E, std::integral Axis>
auto squeeze(const E& x, Axis axis) {
    const int axes[] = {detail::axis_number(axis)};
    return squeeze(x, axes);
}
template <expression E>
auto squeeze(const E& x) {
    static_assert(always_false<E>,
                  "ricci: squeeze is told the axes, since they are part of the result's type: squeeze(x, 0)");
    return x;
}

/// All elements in row-major order, under one axis. A view where strides allow. (numpy.ravel, torch.flatten.)
template <expression E>
auto ravel(const E& x) {
    const auto a = evaluate(x);
    return detail::reshaped(a, shape<1>{a.size()});
}

/// `x` under a shape that its own broadcasts to. A view whose repeated axes have stride 0, of plain arrays a read-only
/// one, as NumPy's. Throws shape_error when it does not.
template <expression E, int R>
auto broadcast_to(const E& x, const shape<R>& extents) {
    static_assert(R >= E::rank, "ricci: broadcast_to cannot drop axes");
    return detail::read_only(detail::broadcast_view(evaluate(x), extents, "broadcast_to"));
}
template <expression E, int R>
auto broadcast_to(const E& x, const extent (&extents)[R]) {
    return broadcast_to(x, detail::to_shape(extents));
}
template <expression E>
auto broadcast_to(const E& x, const detail::extent_list auto& extents) {
    return broadcast_to(x, detail::shape_of_list(extents));
}
/// The shape that shapes broadcast to, of the longest one's rank. Throws shape_error when they do not fit.
template <int R, int... More>
auto broadcast_shapes(const shape<R>& first, const shape<More>&... more) {
    constexpr int rank = std::max({R, More...});
    shape<rank> common = detail::pad_front<rank>(first);
    (detail::broadcast_into(common, more), ...);
    return common;
}
/// Arrays broadcast to their common shape, as a std::tuple of views, read-only ones of plain arrays. Throws shape_error
/// when they do not fit.
template <expression... E>
auto broadcast_arrays(const E&... x) {
    const auto common = detail::common_extents(x...);
    return std::make_tuple(expand(x, common)...);
}

/// The elements backwards along one axis, several ({0, 1}) or all. A view.
template <expression E>
[[nodiscard]] auto flip(const E& x) {
    shape<E::rank> every;
    for (int d = 0; d < E::rank; ++d) every[d] = 1;
    return detail::flipped(evaluate(x), every);
}
template <expression E, int N>
[[nodiscard]] auto flip(const E& x, const int (&axes)[N]) {
    return detail::flipped(evaluate(x), detail::named_axes<E::rank>(axes, "flip"));
}
template <expression E, std::integral Axis>
[[nodiscard]] auto flip(const E& x, Axis axis) {
    const int axes[] = {detail::axis_number(axis)};
    return flip(x, axes);
}

/// A quarter turn from the first axis named to the second, `times` times (negative: the other way). A view.
template <expression E>
auto rot90(const E& x, int times = 1, const int (&axes)[2] = {0, 1}) {
    static_assert(E::rank >= 2, "ricci: rot90 needs an array of rank 2 or more");
    static_cast<void>(detail::named_axes<E::rank>(axes, "rot90"));  // refuses equal ones
    const int a = detail::normalize_axis(axes[0], E::rank, "rot90"),
              b = detail::normalize_axis(axes[1], E::rank, "rot90");
    const int turns = (times % 4 + 4) % 4;
    const auto v = evaluate(x);
    shape<E::rank> backwards{};
    if (turns == 1 || turns == 2) backwards[b] = 1;
    if (turns == 3 || turns == 2) backwards[a] = 1;
    const auto turned = detail::flipped(v, backwards);
    return turns % 2 ? swapaxes(turned, a, b) : turned;
}

/// The elements moved `shifts[i]` places along axis axes[i]; those that leave at its end come in at its beginning.
template <expression E, int N>
[[nodiscard]] auto roll(const E& x, const index_t (&shifts)[N], const int (&axes)[N]) {
    shape<E::rank> by{};
    for (int i = 0; i < N; ++i) detail::add_roll(by, x.shape(), shifts[i], axes[i]);
    return detail::rolled(evaluate(x), by);
}
/// Along several axes by one number.
template <expression E, detail::extent_value S, int N>
[[nodiscard]] auto roll(const E& x, const S& shift, const int (&axes)[N]) {
    shape<E::rank> by{};
    for (const int axis : axes) detail::add_roll(by, x.shape(), extent(shift).value, axis);
    return detail::rolled(evaluate(x), by);
}
/// Along one axis.
template <expression E>
[[nodiscard]] auto roll(const E& x, index_t shift, std::integral auto axis) {
    shape<E::rank> by{};
    detail::add_roll(by, x.shape(), shift, detail::axis_number(axis));
    return detail::rolled(evaluate(x), by);
}
/// Without an axis, all elements in row-major order; the shape stays.
template <expression E>
[[nodiscard]] auto roll(const E& x, index_t shift) {
    return detail::reshaped(roll(ravel(x), shift, 0), x.shape());
}

/// The array repeated as a whole, `times[d]` times along axis d. A list longer than x's rank gives new axes in front,
/// one shorter leaves the leading axes. Throws value_error for a negative number.
template <expression E, int N>
auto tile(const E& x, const index_t (&times)[N]) {
    constexpr int R = N > E::rank ? N : E::rank;
    shape<R> each;
    for (int d = 0; d < R; ++d) each[d] = d < R - N ? 1 : times[d - (R - N)];
    return detail::repeated_axes<true>(detail::reshaped(evaluate(x), detail::pad_front<R>(x.shape())), each, "tile");
}
/// `times` times along the last axis.
template <expression E, std::integral N>
auto tile(const E& x, N times) {
    const index_t list[] = {static_cast<index_t>(times)};
    return tile(x, list);
}

/// Each element (with an axis: each row along it) `times` times in a row; without an axis, of all elements in row-major
/// order.
template <expression E>
auto repeat(const E& x, index_t times, int axis) {
    shape<E::rank> each;
    for (int d = 0; d < E::rank; ++d) each[d] = 1;
    each[detail::normalize_axis(axis, E::rank, "repeat")] = times;
    return detail::repeated_axes<false>(evaluate(x), each, "repeat");
}
template <expression E>
auto repeat(const E& x, index_t times) {
    return repeat(ravel(x), times, 0);
}
/// The i-th row along an axis times[i] times, with one number for all of them that often. Throws shape_error when the
/// axis has another length.
template <expression E, expression I>
    requires(I::rank == 1 && std::is_integral_v<typename I::value_type>)
auto repeat(const E& x, const I& times, int axis) {
    const auto n = evaluate(times).to(cpu_device{});
    const int d = detail::normalize_axis(axis, E::rank, "repeat");
    const index_t length = x.shape()[d];
    const bool shared = n.size() == 1;
    if (n.size() != length && !shared)
        detail::raise<shape_error>(
            {"[repeat] ", n.size(), " numbers of repetitions for axis ", d, " of shape ", x.shape()});
    index_t total = 0;
    for (index_t i = 0; i < n.size(); ++i) {
        if (n.at(i) < 0)
            detail::raise<value_error>({"[repeat] the number of repetitions must not be negative: ", index_t(n.at(i))});
        const index_t each = static_cast<index_t>(n.at(i)), rows_of_it = shared ? length : 1;
        if (rows_of_it > 0 && each > (std::numeric_limits<index_t>::max() - total) / rows_of_it)
            detail::raise<value_error>({"[repeat] the repetitions of axis ", d, " of shape ", x.shape(), " overflow"});
        total += each * rows_of_it;
    }
    const auto rows = tensor<std::int64_t, 1>::uninitialized({total});
    std::int64_t *to = rows.data(), *const end = to + total;
    constexpr index_t few = 8;  // are stored whether they are wanted or not, as nobody foresees how many are
    for (index_t i = 0; i < length; ++i) {
        const auto times_i = static_cast<index_t>(n.at(shared ? 0 : i));
        if (end - to >= few) {
            for (index_t k = 0; k < few; ++k) to[k] = i;
            if (times_i > few) std::fill(to + few, to + times_i, i);
        } else {
            std::fill_n(to, times_i, i);
        }
        to += times_i;
    }
    return index_select(x, d, rows);
}
/// Without an axis: the i-th of all elements in row-major order.
template <expression E, expression I>
    requires(I::rank == 1 && std::is_integral_v<typename I::value_type>)
auto repeat(const E& x, const I& times) {
    return repeat(ravel(x), times, 0);
}
template <expression E, int N, std::integral... Axis>
    requires(N >= 2)
auto repeat(const E& x, const position (&times)[N], Axis... axis) {
    return repeat(x, index_array(times), detail::axis_number(axis)...);
}

/// The rows along an axis, without it, as a std::vector of views. (numpy.unstack, torch.unbind.)
template <expression E>
auto unstack(const E& x, int axis = 0) {
    static_assert(E::rank >= 1, "ricci: unstack needs an array of rank 1 or more");
    const auto a = detail::move_axis(evaluate(x), detail::normalize_axis(axis, E::rank, "unstack"), 0);
    std::vector<std::remove_cvref_t<decltype(index(a, 0))>> rows;
    rows.reserve(static_cast<std::size_t>(a.shape()[0]));
    for (index_t i = 0; i < a.shape()[0]; ++i) rows.push_back(index(a, i));
    return rows;
}

namespace detail {
/// make(0), make(1) and so on, as many as the caller has named, for structured bindings.
template <index_t N, class F>
auto counted(const F& make) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::array<std::remove_cvref_t<decltype(make(index_t(0)))>, std::size_t(N)>{make(index_t(I))...};
    }(std::make_index_sequence<std::size_t(N)>{});
}
/// The length of each of so many equal parts of axis d of a.
template <class A>
index_t length_of_parts(const A& a, int d, index_t parts) {
    const index_t n = a.shape()[d];
    if (parts < 1 || n % parts != 0)
        raise<value_error>(
            {"[split] axis ", d, " of shape ", a.shape(), " does not divide into ", parts, " equal parts"});
    return n / parts;
}
}  // namespace detail

/// N rows as a std::array, which takes apart: `auto [x, y] = unstack<2>(points, -1)`. Throws shape_error for another
/// number.
template <index_t N, expression E>
auto unstack(const E& x, int axis = 0) {
    static_assert(E::rank >= 1, "ricci: unstack needs an array of rank 1 or more");
    const auto a = detail::move_axis(evaluate(x), detail::normalize_axis(axis, E::rank, "unstack"), 0);
    if (a.shape()[0] != N)
        detail::raise<shape_error>(
            {"[unstack] axis ", axis, " of shape ", x.shape(), " has ", a.shape()[0], " rows, not ", N});
    return detail::counted<N>([&](index_t i) { return index(a, i); });
}

/// The array in `parts` pieces of equal length along an axis, as a std::vector of views. Throws value_error when the
/// axis does not divide evenly. (numpy.split.)
template <expression E, detail::extent_value N>
auto split(const E& x, const N& count, int axis = 0) {
    const index_t parts = extent(count).value;
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "split");
    const index_t n = detail::length_of_parts(a, d, parts);
    std::vector<std::remove_cvref_t<decltype(detail::stretch_of(a, d, 0, 0))>> pieces;
    pieces.reserve(static_cast<std::size_t>(parts));
    for (index_t i = 0; i < parts; ++i) pieces.push_back(detail::stretch_of(a, d, i * n, n));
    return pieces;
}
/// The same as a std::array: `auto [q, k, v] = split<3>(x, -1)`.
template <index_t Parts, expression E>
auto split(const E& x, int axis = 0) {
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "split");
    const index_t n = detail::length_of_parts(a, d, Parts);
    return detail::counted<Parts>([&](index_t i) { return detail::stretch_of(a, d, i * n, n); });
}
/// `parts` pieces of as many elements, of which the last may be shorter and some of the last missing, as a std::vector
/// of views. Throws value_error unless `parts` is positive. (torch.chunk.)
template <expression E>
auto chunk(const E& x, index_t parts, int axis = 0) {
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "chunk");
    if (parts < 1) detail::raise<value_error>({"[chunk] ", parts, " parts were asked for"});
    const index_t n = a.shape()[d], each = n / parts + (n % parts > 0);
    std::vector<std::remove_cvref_t<decltype(detail::stretch_of(a, d, 0, 0))>> pieces;
    index_t first = 0;
    do {
        pieces.push_back(detail::stretch_of(a, d, first, n - first < each ? n - first : each));
        first += each;
    } while (first < n);
    return pieces;
}
/// Cut before the positions named (negative ones counted from the end), as slices are: those out of range cut off
/// nothing.
template <expression E, int N>
auto split(const E& x, const index_t (&before)[N], int axis = 0) {
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "split");
    const index_t n = a.shape()[d];
    const auto clipped = [&](index_t p) { return p < -n ? 0 : p < 0 ? p + n : p > n ? n : p; };
    std::vector<std::remove_cvref_t<decltype(detail::stretch_of(a, d, 0, 0))>> pieces;
    index_t first = 0;
    for (int i = 0; i <= N; ++i) {
        const index_t end = i < N ? clipped(before[i]) : n;
        pieces.push_back(detail::stretch_of(a, d, first, end > first ? end - first : 0));
        first = end;
    }
    return pieces;
}

/// The array in `parts` pieces along an axis whose lengths differ by one at most, the longer ones first, as a
/// std::vector of views. Throws value_error for fewer than one. (numpy.array_split, torch.tensor_split.)
template <expression E, detail::extent_value N>
auto array_split(const E& x, const N& count, int axis = 0) {
    const index_t parts = extent(count).value;
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "array_split");
    if (parts < 1) detail::raise<value_error>({"[array_split] there must be one part at least: ", parts});
    const index_t n = a.shape()[d], least = n / parts, longer = n % parts;
    std::vector<std::remove_cvref_t<decltype(detail::stretch_of(a, d, 0, 0))>> pieces;
    for (index_t i = 0; i < parts; ++i)
        pieces.push_back(detail::stretch_of(a, d, i * least + std::min(i, longer), least + (i < longer)));
    return pieces;
}
/// Cut before the positions named, as split does.
template <expression E, int N>
auto array_split(const E& x, const index_t (&before)[N], int axis = 0) {
    return split(x, before, axis);
}

}  // namespace ricci
