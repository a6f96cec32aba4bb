// Maps of fixed tensors, computed at once: broadcasting at compile time, straight code, registers for costly functions.
#pragma once
#include "../../core/fixed_tensor.hpp"
#include "../../expr/tree.hpp"
#include "../declarations.hpp"

namespace ricci::detail {

/// The extents that fixed tensors broadcast to; other arguments have none.
template <class... A>
struct fixed_broadcast {
    template <class E>
    static constexpr int rank_of() {
        if constexpr (fixed_expression<E>) return E::rank;
        else return 0;
    }
    static constexpr int rank = [] {
        int r = 0;
        ((r = rank_of<A>() > r ? rank_of<A>() : r), ...);
        return r;
    }();
    template <class E>
    static constexpr bool join(shape<rank>& extents) {
        if constexpr (fixed_expression<E>) return try_broadcast(extents, E::shape());
        else return true;
    }
    static constexpr auto joined = [] {
        struct {
            bool fits;
            shape<rank> extents;
        } y{true, unit_shape<rank>()};
        y.fits = (join<A>(y.extents) && ...);
        return y;
    }();
    static constexpr bool fits = joined.fits;
    template <class T, int... D>
    static fixed_tensor<T, joined.extents[D]...> tensor_with(std::integer_sequence<int, D...>);
    template <class T>
    using result = decltype(tensor_with<T>(std::make_integer_sequence<int, rank>{}));
};

/// Where the elements of a fixed tensor stand that is broadcast to the extents of To.
template <class From, class To>
struct broadcast_places {
    static constexpr auto places = [] {
        struct {
            index_t at[To::count + 1] = {};
        } p;
        const auto to = To::shape();
        const auto from = pad_front<To::rank>(From::shape());
        const auto steps = row_major(from);
        for (index_t k = 0; k < To::count; ++k) {
            index_t rest = k;
            for (int d = To::rank - 1; d >= 0; --d) {
                if (from[d] != 1) p.at[k] += rest % to[d] * steps[d];
                rest /= to[d];
            }
        }
        return p;
    }();
};

/// The k-th element of an argument that is broadcast to the extents of To.
template <class To, class A>
RICCI_INLINE constexpr decltype(auto) broadcast_element(const A& a, index_t k) {
    if constexpr (!fixed_expression<A>) return (a);
    else if constexpr (A::count == To::count) return (a.data()[k]);
    else if constexpr (A::count == 1) return (a.data()[0]);
    else return (a.data()[broadcast_places<A, To>::places.at[k]]);
}

/// The element types of a map: those that it computes in and that of its result, by the library's promotion. Of
/// arguments with kernel scalars among them, what C++ makes of them.
template <class A>
struct fixed_scalar {
    using type = A;
};
template <fixed_expression A>
struct fixed_scalar<A> {
    using type = typename A::value_type;
};
template <class Op, class... A>
struct fixed_map_types {
    template <int I, class X>
    using argument = X;
    using result = std::remove_cvref_t<decltype(evaluate_op(std::declval<const Op&>(),
                                                            std::declval<const typename fixed_scalar<A>::type&>()...))>;
};
template <class Op, class... A>
    requires(element<typename fixed_scalar<A>::type> && ...)
struct fixed_map_types<Op, A...> {
    template <int I, class X>
    using argument = typename Op::template argument<I, kind_t<A>...>;
    using result = typename Op::template result<kind_t<A>...>;
};
template <class To, class S>
RICCI_INLINE constexpr auto fixed_argument(const S& x) {
    if constexpr (element<To> && element<S>) return convert_element<To>(x);
    else return x;
}

inline namespace RICCI_ISA {

/// Ops of at least this cost are computed on registers; compilers make registers of cheaper ones by themselves.
inline constexpr int least_register_cost = 6;

/// Whether a map of n elements is computed on registers of T.
template <class Op, class T, class... Argument>
constexpr bool maps_on_registers(index_t n) {
    return n > 1 && !takes_elements_v<Op> && op_cost<Op>() >= least_register_cost && simd_supported<T> &&
           (std::is_same_v<T, Argument> && ...);
}

/// As many elements as a register has, from element k on, of an argument that is broadcast to the extents of To.
template <class To, class T, class A>
RICCI_INLINE simd<T> broadcast_register(const A& a, index_t k, index_t n) {
    constexpr index_t lanes = simd<T>::lanes;
    if constexpr (!fixed_expression<A>) {
        return simd<T>(convert_element<T>(a));
    } else if constexpr (A::count == To::count && std::is_same_v<typename A::value_type, T>) {
        return n < lanes ? simd<T>::load_partial(a.data() + k, n) : simd<T>::load(a.data() + k);
    } else {
        T values[lanes] = {};
        for (index_t i = 0; i < n; ++i) values[i] = convert_element<T>(broadcast_element<To>(a, k + i));
        return simd<T>::load(values);
    }
}
template <class Y, class Op, class... A>
RICCI_INLINE Y map_on_registers(const Op& op, const A&... a) {
    using T = typename Y::value_type;
    constexpr index_t lanes = simd<T>::lanes, whole = Y::count - Y::count % lanes, rest = Y::count - whole;
    Y y;
    for (index_t k = 0; k < whole; k += lanes)
        evaluate_op(op, broadcast_register<Y, T>(a, k, lanes)...).store(y.data() + k);
    if constexpr (rest > 0)
        evaluate_op(op, broadcast_register<Y, T>(a, whole, rest)...).store_partial(y.data() + whole, rest);
    return y;
}

template <class Y, class Types, class Op, int... I, class... A>
RICCI_INLINE constexpr Y map_elements(const Op& op, std::integer_sequence<int, I...>, const A&... a) {
    if constexpr (maps_on_registers<Op, typename Y::value_type, typename Types::template argument<I, A>...>(Y::count))
        if (!std::is_constant_evaluated()) return map_on_registers<Y>(op, a...);
    return Y::generate([&](index_t k) RICCI_INLINE_LAMBDA {
        return evaluate_op(op, fixed_argument<typename Types::template argument<I, A>>(broadcast_element<Y>(a, k))...);
    });
}

}  // namespace RICCI_ISA

template <class Op, class... A>
RICCI_INLINE constexpr auto map_fixed(const Op& op, const A&... a) {
    using joint = fixed_broadcast<A...>;
    static_assert(joint::fits,
                  "ricci: these fixed tensors do not broadcast: two extents of an axis differ, and neither is 1");
    if constexpr (joint::fits) {
        using types = fixed_map_types<Op, A...>;
        using Y = typename joint::template result<typename types::result>;
        return map_elements<Y, types>(op, std::make_integer_sequence<int, sizeof...(A)>{}, a...);
    } else {
        return fixed_tensor<double>();
    }
}

}  // namespace ricci::detail
