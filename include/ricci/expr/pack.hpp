// A flat heterogeneous aggregate: cheaper to compile and to optimise than std::tuple, and trivially copyable when its
// members are.
#pragma once
#include <type_traits>
#include <utility>

#include "../core/config.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci::detail {

template <int I, class T>
struct pack_member {
    [[no_unique_address]] T value;
};

template <class Indices, class... T>
struct pack_base;
template <int... I, class... T>
struct pack_base<std::integer_sequence<int, I...>, T...> : pack_member<I, T>... {};

/// Members of the types T, by position: get<I>(p).
template <class... T>
struct pack : pack_base<std::make_integer_sequence<int, sizeof...(T)>, T...> {
    static constexpr int size = sizeof...(T);
};
template <class... T>
pack(T...) -> pack<T...>;

template <int I, class T>
RICCI_HD RICCI_INLINE constexpr T& get(pack_member<I, T>& m) {
    return m.value;
}
template <int I, class T>
RICCI_HD RICCI_INLINE constexpr const T& get(const pack_member<I, T>& m) {
    return m.value;
}
template <int I, class T>
RICCI_HD RICCI_INLINE constexpr T&& get(pack_member<I, T>&& m) {
    return std::move(m.value);
}

template <int I, class T>
T pack_type(const pack_member<I, T>&);
/// The I-th member's type.
template <int I, class Pack>
using pack_element_t = decltype(pack_type<I>(std::declval<const Pack&>()));

/// Builds a pack of values.
template <class... T>
RICCI_HD RICCI_INLINE constexpr auto make_pack(T&&... values) {
    return pack<std::decay_t<T>...>{{{std::forward<T>(values)}...}};
}

/// Calls f(integral_constant<0>) .. f(integral_constant<N-1>) and hands all results to `join`.
template <int N, class F, class Join>
RICCI_HD RICCI_INLINE constexpr decltype(auto) transform_indices(F&& f, Join&& join) {
    return [&]<int... I>(std::integer_sequence<int, I...>) -> decltype(auto) {
        return join(f(std::integral_constant<int, I>{})...);
    }(std::make_integer_sequence<int, N>{});
}

/// Calls f(integral_constant<0>), f(integral_constant<1>), ... in order.
template <int N, class F>
RICCI_HD RICCI_INLINE constexpr void for_indices(F&& f) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (f(std::integral_constant<int, I>{}), ...); }
    (std::make_integer_sequence<int, N>{});
}

/// The pack {f(0), f(1), ..., f(N-1)}.
template <int N, class F>
RICCI_HD RICCI_INLINE constexpr auto generate(F&& f) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
        return make_pack(f(std::integral_constant<int, I>{})...);
    }(std::make_integer_sequence<int, N>{});
}

/// f(members...) of a pack.
template <class F, class... T>
RICCI_HD RICCI_INLINE constexpr decltype(auto) unpack(F&& f, const pack<T...>& p) {
    return [&]<int... I>(std::integer_sequence<int, I...>) -> decltype(auto) { return f(get<I>(p)...); }
    (std::make_integer_sequence<int, sizeof...(T)>{});
}

/// One pack after the other.
template <class... A, class... B>
RICCI_HD RICCI_INLINE constexpr auto concat(const pack<A...>& a, const pack<B...>& b) {
    return unpack([&](const auto&... x) { return unpack([&](const auto&... y) { return make_pack(x..., y...); }, b); }, a);
}

}  // namespace ricci::detail
RICCI_BOTH_SIDES_END
