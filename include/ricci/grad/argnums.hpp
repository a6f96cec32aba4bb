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
template <int... I>
consteval bool all_differ() {
    const int numbers[] = {I...};
    for (int i = 0; i < static_cast<int>(sizeof...(I)); ++i)
        for (int k = 0; k < i; ++k)
            if (numbers[i] == numbers[k]) return false;
    return true;
}
template <int Count, int... I>
consteval auto numbered_from_zero(argnums_t<I...>) {
    static_assert(all_differ<argument_number<I, Count>()...>(), "ricci: argnums name an argument twice");
    return argnums_t<argument_number<I, Count>()...>{};
}

}  // namespace detail
}  // namespace ricci
