// Indexing fixed tensors: integers, all, ellipsis and newaxis give fixed tensors, everything else tensors. Always
// copies.
#pragma once
#include "../../expr/index.hpp"
#include "map.hpp"

namespace ricci {
namespace detail {

/// Indices whose types alone tell what extents are left.
template <class I>
inline constexpr bool is_fixed_index = is_basic_index<I> && !std::is_same_v<I, slice>;

/// What indices of the types I leave of X's axes, and where its elements stand when all integers are 0.
template <class X, class... I>
struct fixed_selection {
    static constexpr int used = (0 + ... + axes_used<I>);
    static_assert(used <= X::rank, "ricci: more indices than the array has axes");
    static_assert((0 + ... + int(std::is_same_v<I, ellipsis_t>)) <= 1, "ricci: at most one ellipsis in an index");
    static constexpr int rank = X::rank - used + (0 + ... + (std::is_same_v<I, ellipsis_t> ? 0 : axes_given<I>));
    static constexpr auto axes = [] {
        struct {
            shape<rank> extents, steps;
            int axis_of[sizeof...(I) + 1] = {};  // of an integer
        } s;
        const auto from = X::shape();
        const auto steps = row_major(from);
        int in = 0, out = 0, n = 0;
        const auto whole = [&](int axes) {
            for (int d = 0; d < axes; ++d) {
                s.extents[out] = from[in];
                s.steps[out++] = steps[in++];
            }
        };
        const auto take = [&]<class Index>(std::type_identity<Index>) {
            s.axis_of[n++] = in;
            if constexpr (std::is_same_v<Index, newaxis_t>) s.extents[out++] = 1;
            else if constexpr (std::is_same_v<Index, ellipsis_t>) whole(X::rank - used);
            else if constexpr (std::is_same_v<Index, all_t>) whole(1);
            else ++in;
        };
        (take(std::type_identity<I>{}), ...);
        whole(X::rank - in);
        return s;
    }();
    template <class T, int... D>
    static fixed_tensor<T, axes.extents[D]...> result_with(std::integer_sequence<int, D...>);
    using result = decltype(result_with<typename X::value_type>(std::make_integer_sequence<int, rank>{}));
    static constexpr auto places = [] {
        struct {
            index_t at[result::count + 1] = {};
        } p;
        for (index_t k = 0; k < result::count; ++k) {
            index_t rest = k;
            for (int d = rank - 1; d >= 0; --d) {
                p.at[k] += rest % axes.extents[d] * axes.steps[d];
                rest /= axes.extents[d];
            }
        }
        return p;
    }();
    /// The place of the first element selected. Throws index_error.
    RICCI_INLINE static constexpr index_t start(const I&... i) {
        index_t at = 0;
        int n = 0;
        (add(at, n++, i), ...);
        return at;
    }

   private:
    template <class Index>
    RICCI_INLINE static constexpr void add(index_t& at, int n, const Index& i) {
        if constexpr (is_integer_index<Index>) {
            const int d = axes.axis_of[n];
            at += X::position_on(as_position(i), X::shape()[d], d) * row_major(X::shape())[d];
        }
    }
};

}  // namespace detail

/// `x(i, ...)` of a fixed tensor: with integers, all, ellipsis and newaxis a fixed tensor of what they select, with
/// slices and index arrays a read-only tensor. A copy: what is to be written is written by x(i, j) = ... or
/// x.set(values, i, ...).
template <fixed_expression E, class... I>
    requires detail::basic_indices<I...>
RICCI_INLINE constexpr auto index(const E& x, const I&... i) {
    if constexpr ((detail::is_fixed_index<I> && ...)) {
        using selection = detail::fixed_selection<E, I...>;
        const index_t start = selection::start(i...);
        return selection::result::generate(
            [&](index_t k) RICCI_INLINE_LAMBDA { return x.data()[start + selection::places.at[k]]; });
    } else {
        return index(tensor<const typename E::value_type, E::rank>(x.fetch()), i...);
    }
}
template <fixed_expression E, class... I>
    requires detail::array_indices<I...>
auto index(const E& x, const I&... i) {
    return index(tensor<const typename E::value_type, E::rank>(x.fetch()), i...);
}

namespace detail {

/// Writes a value, broadcast, to the elements that indices select; whether it fits those of slices and index arrays is
/// known at run time alone.
template <class X, class V, class... I>
RICCI_INLINE constexpr void set_fixed(X& x, const V& value, const I&... i) {
    if constexpr (!(is_fixed_index<I> && ...)) {
        using T = typename X::value_type;
        static_assert(element<T>, "ricci: of a fixed_tensor of scalars that are no numbers, set takes no slices");
        index(tensor<T, X::rank>({}, x.data(), X::shape(), row_major(X::shape())), i...) = value;
    } else if constexpr (expression<V> && !fixed_expression<V>) {
        set_fixed(x, typename fixed_selection<X, I...>::result(value), i...);
    } else {
        using selection = fixed_selection<X, I...>;
        using part = typename selection::result;
        const index_t start = selection::start(i...);
        static_assert(std::is_same_v<typename fixed_broadcast<part, V>::template result<int>,
                                     typename fixed_broadcast<part>::template result<int>>,
                      "ricci: the value's extents do not broadcast to those of the elements that the indices select");
        const part values =
            part::generate([&](index_t k) RICCI_INLINE_LAMBDA { return broadcast_element<part>(value, k); });
        for (index_t k = 0; k < part::count; ++k) x.data()[start + selection::places.at[k]] = values.data()[k];
    }
}

}  // namespace detail
}  // namespace ricci
