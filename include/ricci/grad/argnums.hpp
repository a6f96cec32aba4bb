// Which arguments derivatives are taken with respect to: argnums.
#pragma once

namespace ricci {

/// The arguments, counted from 0, or with -1, -2, ... from the last one, that a derivative is taken with respect to:
/// grad(f, argnums<0, 2>), grad(f, argnums<-1>).
template <int... I>
struct argnums_t {};
template <int... I>
inline constexpr argnums_t<I...> argnums{};

namespace detail {

/// The number, from 0, of argument I of Count; one that was not given goes on as 0, so that this is the only error.
template <int I, int Count>
consteval int argument_number() {
    static_assert(I >= -Count && I < Count, "ricci: argnums names an argument that was not given");
    return I >= Count || I < -Count ? 0 : I < 0 ? I + Count : I;
}
template <int Count, int... I>
consteval auto numbered_from_zero(argnums_t<I...>) {
    return argnums_t<argument_number<I, Count>()...>{};
}

}  // namespace detail
}  // namespace ricci
