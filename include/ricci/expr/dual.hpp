// Dual numbers: a value and a tangent, over any kernel scalar, nested for higher orders.
#pragma once
#include <type_traits>

#include "../core/concepts.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// value + tangent * epsilon with epsilon^2 = 0. Every element-wise function of the library takes duals; the derivative
/// comes from the function's own rule. `dual<dual<double>>` carries second derivatives.
template <class S>
struct dual {
    using value_type = S;
    S value{};
    S tangent{};

    constexpr dual() = default;
    RICCI_HD RICCI_INLINE constexpr dual(S v, S t) : value(v), tangent(t) {}
    /// A constant: its tangent is zero.
    template <class U>
        requires(std::is_convertible_v<U, S>)
    RICCI_HD RICCI_INLINE constexpr dual(const U& v) : value(v), tangent(0) {}
};

template <class S>
inline constexpr bool is_dual_v = false;
template <class S>
inline constexpr bool is_dual_v<dual<S>> = true;
template <class S>
inline constexpr bool is_kernel_scalar_v<dual<S>> = true;

/// How many duals are nested in S.
template <class S>
inline constexpr int dual_depth_v = 0;
template <class S>
inline constexpr int dual_depth_v<dual<S>> = 1 + dual_depth_v<S>;

namespace detail {

template <class S>
struct dual_base {
    using type = S;
};
template <class S>
struct dual_base<dual<S>> : dual_base<S> {};
template <class S>
using dual_base_t = typename dual_base<S>::type;

template <class S, int Depth>
struct nested_dual {
    using type = dual<typename nested_dual<S, Depth - 1>::type>;
};
template <class S>
struct nested_dual<S, 0> {
    using type = S;
};
template <class S, int Depth>
using nested_dual_t = typename nested_dual<S, Depth>::type;

/// The value part of a dual, anything else itself: what an op sees of an argument one order down.
template <class S>
RICCI_HD RICCI_INLINE constexpr const S& primal(const S& x) {
    return x;
}
template <class S>
RICCI_HD RICCI_INLINE constexpr const S& primal(const dual<S>& x) {
    return x.value;
}

/// The component of a nested dual whose bit `k` says: tangent at nesting level k (level 0 innermost).
template <int Depth, class S>
RICCI_HD RICCI_INLINE constexpr auto component_of(const S& x, unsigned mask) {
    if constexpr (Depth == 0) return x;
    else return (mask >> (Depth - 1)) & 1u ? component_of<Depth - 1>(x.tangent, mask) : component_of<Depth - 1>(x.value, mask);
}

/// Builds a nested dual from its components: part(mask) gives each.
template <class S, int Depth, unsigned Mask = 0, class F>
RICCI_HD RICCI_INLINE constexpr auto make_nested(const F& part) {
    if constexpr (Depth == 0) return S(part(std::integral_constant<unsigned, Mask>{}));
    else
        return nested_dual_t<S, Depth>(make_nested<S, Depth - 1, Mask>(part),
                                       make_nested<S, Depth - 1, (Mask | (1u << (Depth - 1)))>(part));
}

}  // namespace detail
}  // namespace ricci
RICCI_BOTH_SIDES_END
