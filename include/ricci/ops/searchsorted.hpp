// Where numbers stand in sorted lists: searchsorted; NaN comes last.
#pragma once
#include <limits>

#include "../expr/index.hpp"
#include "create.hpp"
#include "elementwise/astype.hpp"
#include "index/take.hpp"
#include "shape.hpp"
#include "stop_gradient.hpp"

namespace ricci {
namespace detail {

/// Where elements stand in sorted lists, one for each member of the batch that the first axes are (an extent of 1 is
/// shared); no derivative.
struct search_op : opaque_op {
    static constexpr const char* name = "searchsorted";
    bool behind;

    template <class T, int L, int R, class D>
    auto value(const tensor<T, L, D>& lists, const tensor<T, R, D>& values) const {
        const auto y = tensor<std::int64_t, R, D>::uninitialized(values.shape());
        search(lists, values, y);
        return make_pack(y);
    }
    template <class Mapped, class L, class A>
    auto call_batched(const L& lists, const A& values) const {
        if constexpr (!Mapped::at[0] && L::rank == 1) {
            return call(*this, lists, values);
        } else if constexpr (!Mapped::at[0]) {
            return call(*this, expanded(lists, prefixed(1, lists.shape())), values);
        } else if constexpr (!Mapped::at[1]) {
            return call(*this, lists, expanded(values, prefixed(lists.shape()[0], values.shape())));
        } else {
            auto whole = values.shape();
            if (whole[0] == 1) whole[0] = lists.shape()[0];
            return call(*this, lists, expanded(values, whole));
        }
    }

   private:
    template <class T, int L, int R, class D, class Y>
    void search(const tensor<T, L, D>& lists, const tensor<T, R, D>& values, const Y& y) const {
        if constexpr (L == 1) {
            executor<D>::search_sorted(lists, values, y, behind);
        } else {
            const bool shared = lists.shape()[0] == 1;
            if constexpr (L == 2)
                if (shared) return search(index(lists, 0), values, y);
            for (index_t i = 0; i < values.shape()[0]; ++i)
                search(index(lists, shared ? 0 : i), index(values, i), index(y, i));
        }
    }
};

}  // namespace detail

/// Where each of `values` would be put into `sorted` (rank 1, ascending, NaN last) to keep the order: in front of
/// equal elements, or behind them. 64-bit integers of values' shape, in the common type; no derivative. Under vmap the
/// members of a batch may have lists of their own.
template <expression S, expression V>
auto searchsorted(const S& sorted, const V& values, detail::yes_or_no behind = false) {
    static_assert(S::rank == 1, "ricci: searchsorted takes a sorted list of rank 1");
    using T = promote_t<typename S::value_type, typename V::value_type>;
    static_assert(!is_complex_v<T>, "ricci: complex numbers have no order");
    const auto list = detail::readable_as<T>(stop_gradient(sorted));
    const auto v = detail::readable_as<T>(stop_gradient(values));
    return detail::call1(detail::search_op{{}, behind}, list, v);
}
/// Of one number: rank 0.
template <expression S, scalar_value V>
auto searchsorted(const S& sorted, const V& value, detail::yes_or_no behind = false) {
    using T = common_t<typename S::value_type, weak<V>>;
    if constexpr (std::is_integral_v<T> &&
                  !std::is_same_v<T, bool>) {  // smaller or larger than all that elements can be
        using limits = std::numeric_limits<T>;
        if (detail::is_below_all<T>(value))
            return searchsorted(sorted, tensor<T, 0, device_t<S>>(limits::min()), false);
        if (detail::is_above_all<T>(value)) return searchsorted(sorted, tensor<T, 0, device_t<S>>(limits::max()), true);
    }
    return searchsorted(sorted, tensor<T, 0, device_t<S>>(value), behind);
}
/// Of numbers in braces.
template <expression S, scalar_value V, std::size_t N>
auto searchsorted(const S& sorted, const V (&values)[N], detail::yes_or_no behind = false) {
    return searchsorted(sorted, detail::array_in_braces<typename S::value_type>(values), behind);
}
/// In a list in another order, whose elements `sorter` (integers of rank 1, what argsort gives) puts into ascending
/// order. (The sorter of numpy.searchsorted and of the array API.)
template <expression S, operand V, expression I>
auto searchsorted(const S& unsorted, const V& values, detail::yes_or_no behind, const I& sorter) {
    return searchsorted(take(unsorted, sorter, 0), values, behind);
}

}  // namespace ricci
