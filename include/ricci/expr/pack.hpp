// A flat heterogeneous aggregate: cheaper to compile and to optimise than std::tuple, and trivially copyable when its
// members are.
#pragma once
#include <type_traits>
#include <utility>

#include "../core/config.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci::detail {

template <class... T>
struct pack;
template <class T>
inline constexpr bool is_pack_v = false;
template <class... T>
inline constexpr bool is_pack_v<pack<T...>> = true;

/// Whether what holds a T can do so in no place, as a base class: where it is empty and of one byte (of others see
/// node_parts). Not as a [[no_unique_address]] member: nvcc lays these out otherwise for the GPU than the host's
/// compiler does.
template <class T>
inline constexpr bool takes_no_place = [] {
    if constexpr (std::is_empty_v<T> && !std::is_final_v<T>) return sizeof(T) == 1 && !is_pack_v<T>;
    else return false;
}();

/// A T as the only member of a class that derives from this; what T's own members are called does not show.
template <class T, bool = takes_no_place<T>>
struct held {
    T value;
    RICCI_HD RICCI_INLINE constexpr T& get() { return value; }
    RICCI_HD RICCI_INLINE constexpr const T& get() const { return value; }
};
template <class T>
struct held<T, true> : private T {
    held() = default;
    RICCI_HD RICCI_INLINE constexpr held(const T& value) : T(value) {}
    RICCI_HD RICCI_INLINE constexpr T& get() { return *this; }
    RICCI_HD RICCI_INLINE constexpr const T& get() const { return *this; }
};

template <int I, class T, bool = takes_no_place<T>>
struct pack_member {
    T value;
};
template <int I, class T>
struct pack_member<I, T, true> : T {};

template <int I, class T, bool Empty>
RICCI_HD RICCI_INLINE constexpr T& get(pack_member<I, T, Empty>& m) {
    if constexpr (Empty) return m;
    else return m.value;
}
template <int I, class T, bool Empty>
RICCI_HD RICCI_INLINE constexpr const T& get(const pack_member<I, T, Empty>& m) {
    if constexpr (Empty) return m;
    else return m.value;
}
template <int I, class T, bool Empty>
RICCI_HD RICCI_INLINE constexpr T&& get(pack_member<I, T, Empty>&& m) {
    if constexpr (Empty) return std::move(m);
    else return std::move(m.value);
}

template <class Indices, class... T>
struct pack_base;
template <int... I, class... T>
struct pack_base<std::integer_sequence<int, I...>, T...> : pack_member<I, T>... {
    template <class F>
    RICCI_HD RICCI_INLINE constexpr decltype(auto) apply(F&& f) const& {
        return f(detail::get<I>(static_cast<const pack_member<I, T>&>(*this))...);
    }
    template <class F>
    RICCI_HD RICCI_INLINE constexpr decltype(auto) apply(F&& f) && {
        return f(detail::get<I>(static_cast<pack_member<I, T>&&>(*this))...);
    }
};

/// Members of the types T, by position: get<I>(p).
template <class... T>
struct pack : pack_base<std::make_integer_sequence<int, sizeof...(T)>, T...> {
    static constexpr int size = sizeof...(T);
};
template <class... T>
pack(T...) -> pack<T...>;

template <int I, class T, bool Empty>
T pack_type(const pack_member<I, T, Empty>&);
/// The I-th member's type.
template <int I, class Pack>
using pack_element_t = decltype(pack_type<I>(std::declval<const Pack&>()));

/// Builds a pack of values.
template <class... T>
RICCI_HD RICCI_INLINE constexpr auto make_pack(T&&... values) {
    return pack<std::decay_t<T>...>{{{std::forward<T>(values)}...}};
}

template <class Indices>
struct index_calls;
template <int... I>
struct index_calls<std::integer_sequence<int, I...>> {
    template <class F, class Join>
    RICCI_HD RICCI_INLINE static constexpr decltype(auto) transform(F&& f, Join&& join) {
        return join(f(std::integral_constant<int, I>{})...);
    }
    template <class F>
    RICCI_HD RICCI_INLINE static constexpr void each(F&& f) {
        (f(std::integral_constant<int, I>{}), ...);
    }
    template <class F>
    RICCI_HD RICCI_INLINE static constexpr auto generate(F&& f) {
        return pack<std::decay_t<decltype(f(std::integral_constant<int, I>{}))>...>{
            {{f(std::integral_constant<int, I>{})}...}};
    }
};

// Few calls are written out: functions that only call others are a good part of what there is to compile.

/// Calls f(integral_constant<0>) .. f(integral_constant<N-1>) and hands all results to `join`.
template <int N, class F, class Join>
RICCI_HD RICCI_INLINE constexpr decltype(auto) transform_indices(F&& f, Join&& join) {
    if constexpr (N == 1) return join(f(std::integral_constant<int, 0>{}));
    else
        return index_calls<std::make_integer_sequence<int, N>>::transform(std::forward<F>(f), std::forward<Join>(join));
}

/// Calls f(integral_constant<0>), f(integral_constant<1>), ... in order.
template <int N, class F>
RICCI_HD RICCI_INLINE constexpr void for_indices(F&& f) {
    if constexpr (N > 4) {
        index_calls<std::make_integer_sequence<int, N>>::each(std::forward<F>(f));
    } else {
        if constexpr (N > 0) f(std::integral_constant<int, 0>{});
        if constexpr (N > 1) f(std::integral_constant<int, 1>{});
        if constexpr (N > 2) f(std::integral_constant<int, 2>{});
        if constexpr (N > 3) f(std::integral_constant<int, 3>{});
    }
}

/// The pack {f(0), f(1), ..., f(N-1)}.
template <int N, class F>
RICCI_HD RICCI_INLINE constexpr auto generate(F&& f) {
    if constexpr (N == 1)
        return pack<std::decay_t<decltype(f(std::integral_constant<int, 0>{}))>>{
            {{f(std::integral_constant<int, 0>{})}}};
    else return index_calls<std::make_integer_sequence<int, N>>::generate(std::forward<F>(f));
}

/// f(members...) of a pack.
template <class F, int... I, class... T>
RICCI_HD RICCI_INLINE constexpr decltype(auto) unpack(F&& f,
                                                      const pack_base<std::integer_sequence<int, I...>, T...>& p) {
    return f(detail::get<I>(static_cast<const pack_member<I, T>&>(p))...);
}
/// The same of a pack that goes: f may take the members over.
template <class F, int... I, class... T>
RICCI_HD RICCI_INLINE constexpr decltype(auto) unpack(F&& f, pack_base<std::integer_sequence<int, I...>, T...>&& p) {
    return f(detail::get<I>(static_cast<pack_member<I, T>&&>(p))...);
}

/// One pack after the other.
template <int... I, class... A, int... J, class... B>
RICCI_HD RICCI_INLINE constexpr pack<A..., B...> concat(const pack_base<std::integer_sequence<int, I...>, A...>& a,
                                                        const pack_base<std::integer_sequence<int, J...>, B...>& b) {
    return {{{detail::get<I>(static_cast<const pack_member<I, A>&>(a))}...,
             {detail::get<J>(static_cast<const pack_member<J, B>&>(b))}...}};
}

}  // namespace ricci::detail
RICCI_BOTH_SIDES_END
