// Arrays with elements more or fewer along an axis, as new arrays: append, insert, erase.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "join.hpp"
#include "rearrange.hpp"

namespace ricci {
namespace detail {

/// Integers of any type as positions of an axis, or with `end` also of what is behind it, negative ones counted from
/// its end.
template <class I>
auto plain_positions(const I& at, index_t limit, const char* who, bool end = false) {
    static_assert(
        I::rank == 1 && std::is_integral_v<typename I::value_type> && !std::is_same_v<typename I::value_type, bool>,
        "ricci: positions are integers of rank 1");
    const auto list = evaluate(at).to(cpu_device{});
    std::vector<index_t> positions;
    for (index_t i = 0; i < list.size(); ++i) {
        const auto p = static_cast<index_t>(list.at(i));
        if (p < -limit || p >= limit + end) raise<index_error>({"[", who, "] position ", p, " of an axis of ", limit});
        positions.push_back(p < 0 ? p + limit : p);
    }
    return positions;
}

}  // namespace detail

/// `x` and `values` as one array, the latter behind along an axis; without an axis both flattened. Element types are
/// promoted. Linear. (numpy.append; concat of a list joins several at once, and in linear time.)
template <expression E, expression V>
[[nodiscard]] auto append(const E& x, const V& values, int axis) {
    return concat(std::make_tuple(x, values), axis);
}
template <expression E, expression V>
[[nodiscard]] auto append(const E& x, const V& values) {
    return concat(std::make_tuple(ravel(x), ravel(values)), 0);
}
template <expression E, scalar_value V>
[[nodiscard]] auto append(const E& x, const V& value) {
    using T = value_type_t<decltype(x + value)>;  // numbers are weak, but a fraction makes integers double
    return concat(std::make_tuple(ravel(x), full(shape<1>{1}, detail::convert_number<T>(value), device_t<E>{})));
}

/// `x` with `values` in front of position `at` of an axis (negative ones counted from the end, the length itself the
/// end); without an axis flattened, with values of rank 0 or 1. Values of x's rank are rows one after another along
/// their axis 0, others are broadcast to one. Linear. Throws index_error for a position out of range. (numpy.insert.)
template <expression E, operand V>
[[nodiscard]] auto insert(const E& x, index_t at, const V& values, int axis) {
    using T = typename E::value_type;
    detail::check_value_stays_complex<T, V>();
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "insert");
    const index_t n = a.shape()[d], place = at < 0 ? at + n : at;
    if (place < 0 || place > n)
        detail::raise<index_error>({"[insert] position ", at, " of axis ", d, " of shape ", a.shape()});
    const auto head = detail::stretch_of(a, d, 0, place), tail = detail::stretch_of(a, d, place, n - place);
    if constexpr (!expression<V>) {
        shape<E::rank> row = a.shape();
        row[d] = 1;
        return concat(std::make_tuple(head, full<T>(row, detail::convert_number<T>(values), device_t<E>{}), tail), d);
    } else {
        const auto v = evaluate(detail::as_type<T>(values));
        if constexpr (V::rank < E::rank) {  // one row, without the axis
            shape<E::rank - 1> row;
            for (int k = 0; k < E::rank - 1; ++k) row[k] = a.shape()[k < d ? k : k + 1];
            return concat(std::make_tuple(head, expand_dims(detail::expanded(v, row), d), tail), d);
        } else {
            shape<E::rank> rows = a.shape();
            rows[d] = v.shape()[0];
            return concat(std::make_tuple(head, detail::expanded(moveaxis(v, 0, d), rows), tail), d);
        }
    }
}
/// The same in front of several positions of x, an array of integers or integers in braces, in their order where they
/// are the same; values are broadcast to one row for each of them.
template <expression E, expression I, operand V>
    requires(rank_v<I> > 0)
[[nodiscard]] auto insert(const E& x, const I& positions, const V& values, int axis) {
    using T = typename E::value_type;
    detail::check_value_stays_complex<T, V>();
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "insert");
    const index_t n = a.shape()[d];
    const auto list = detail::plain_positions(positions, n, "insert", true);
    const index_t* at = list.data();
    const auto count = static_cast<index_t>(list.size());
    std::vector<index_t> order(list.size());
    std::iota(order.begin(), order.end(), index_t(0));
    // Not stable_sort: clang calls what GNU's does within deprecated.
    std::sort(order.begin(), order.end(), [&](index_t i, index_t k) { return at[i] != at[k] ? at[i] < at[k] : i < k; });
    const auto from = tensor<std::int64_t, 1>::uninitialized({n + count});
    std::int64_t* to = from.data();
    index_t row = 0;
    for (const index_t i : order) {
        for (; row < at[i]; ++row) *to++ = row;
        *to++ = n + i;
    }
    for (; row < n; ++row) *to++ = row;
    shape<E::rank> rows = a.shape();
    rows[d] = count;
    if constexpr (expression<V>) {
        const auto v = detail::expanded(evaluate(detail::as_type<T>(values)), rows);
        return evaluate(index_select(concat(std::make_tuple(a, v), d), d, from));
    } else {
        const auto v = full<T>(rows, detail::convert_number<T>(values), device_t<E>{});
        return evaluate(index_select(concat(std::make_tuple(a, v), d), d, from));
    }
}
template <expression E, int N, operand V>
[[nodiscard]] auto insert(const E& x, const position (&positions)[N], const V& values, int axis) {
    return insert(x, index_array(positions), values, axis);
}
template <expression E, class I, operand V>
[[nodiscard]] auto insert(const E& x, const I& at, const V& values) {
    constexpr bool flat = [] {
        if constexpr (expression<V>) return V::rank <= 1;
        else return true;
    }();
    static_assert(flat, "ricci: without an axis the array is flattened; rows go in along one: insert(x, 1, rows, 0)");
    if constexpr (flat) return insert(ravel(x), at, values, 0);
    else return x;
}
template <expression E, int N, operand V>
[[nodiscard]] auto insert(const E& x, const position (&positions)[N], const V& values) {
    return insert(x, index_array(positions), values);
}

/// `x` without the rows at some positions of an axis, an array of integers, integers in braces, or one (negative ones
/// counted from the end); without an axis flattened. Throws index_error for a position out of range. (numpy.delete,
/// whose name C++ has taken.)
template <expression E, expression I>
[[nodiscard]] auto erase(const E& x, const I& positions, int axis) {
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "erase");
    const index_t n = a.shape()[d];
    auto gone = detail::plain_positions(positions, n, "erase");
    std::sort(gone.begin(), gone.end());
    gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
    const auto left = n - static_cast<index_t>(gone.size());
    gone.push_back(n);
    constexpr std::size_t fewest_gathered = 8;  // pieces: the adjoint of each is as long as the whole
    if (gone.size() < fewest_gathered) {
        std::vector<std::remove_cvref_t<decltype(detail::stretch_of(a, d, 0, 0))>> pieces;
        index_t first = 0;
        for (const index_t at : gone) {
            pieces.push_back(detail::stretch_of(a, d, first, at - first));
            first = at + 1;
        }
        return evaluate(detail::concat_list(pieces, d, "erase"));
    }
    const auto kept = tensor<std::int64_t, 1>::uninitialized({left});
    std::int64_t* to = kept.data();
    index_t first = 0;
    for (const index_t at : gone) {
        for (; first < at; ++first) *to++ = first;
        first = at + 1;
    }
    return evaluate(index_select(a, d, kept));
}
template <expression E, int N>
[[nodiscard]] auto erase(const E& x, const position (&positions)[N], int axis) {
    return erase(x, index_array(positions), axis);
}
template <expression E, std::integral I>
[[nodiscard]] auto erase(const E& x, I at, int axis) {
    return erase(x, {position(at)}, axis);
}
template <expression E, class I>
[[nodiscard]] auto erase(const E& x, const I& at) {
    return erase(ravel(x), at, 0);
}
template <expression E, int N>
[[nodiscard]] auto erase(const E& x, const position (&positions)[N]) {
    return erase(x, index_array(positions));
}

/// A vector without the zeros at its ends: at the front for an "f" in `where`, at the back for a "b". A view. How many
/// there are is known at run time only: under vmap all members must share `x` (value_error). (numpy.trim_zeros.)
template <expression E>
auto trim_zeros(const E& x, const char* where = "fb") {
    static_assert(E::rank == 1, "ricci: trim_zeros takes an array of rank 1");
    const auto a = evaluate(x);
    const auto used = flatnonzero(detail::plain_values(stop_gradient(a), "trim_zeros",
                                                       "under vmap all members of the batch must share the array"))
                          .to(cpu_device{});
    bool front = false, back = false;
    for (; *where; ++where) {
        front = front || *where == 'f' || *where == 'F';
        back = back || *where == 'b' || *where == 'B';
    }
    if (used.size() == 0) return detail::stretch_of(a, 0, 0, front || back ? 0 : a.size());
    const index_t first = front ? used.at(0) : 0, end = back ? used.at(-1) + 1 : a.size();
    return detail::stretch_of(a, 0, first, end - first);
}

}  // namespace ricci
