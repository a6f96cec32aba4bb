// What the vertex of a map keeps of the map's first and second derivative, for duals with many directions: the tangents
// of its value and those of its adjoints are products with these, as a Hessian's are.
#pragma once
#include "../expr/fused.hpp"

namespace ricci::detail {

/// Dual arrays whose tangents go through ops by the ops' own rules.
template <class X>
inline constexpr bool is_pushed_v = false;
template <class X>
    requires requires(const X& x) { x.tangent(); }
inline constexpr bool is_pushed_v<X> = X::wrapper::hands_on_windows && is_inexact_v<typename X::value_type>;

/// An op on what the inputs of its vertex wrap, the types X.
template <class Op, bool Dual, class... X>
struct op_below {
    using kept = nothing;
    static auto call(const Op& op, kept*, const X&... x) { return detail::call(op, x...); }
};
template <class Op, class... X>
struct op_below<Op, true, X...> {
    using W = outermost_t<X...>;
    using active = activity<(wrapped_by_v<W, X> && is_pushed_v<X>)...>;
    using inputs = pack<const std::remove_cvref_t<decltype(peel<W>(std::declval<const X&>()))>*...>;

    template <class... A>
    static constexpr bool keeps(const pack<const A*...>*) {
        if constexpr (active::count == 0) return false;
        else return by_partials<Op>::template keeps_curvature<active, pack<A...>>();
    }
    static constexpr auto room() {
        if constexpr (keeps(static_cast<const inputs*>(nullptr)))
            return std::type_identity<decltype(std::declval<const by_partials<Op>&>().template kept_of<active>(
                std::declval<const inputs&>()))>();
        else return std::type_identity<nothing>();
    }
    using kept = typename decltype(room())::type;

    static auto call(const Op& op, kept* to, const X&... x) {
        if constexpr (std::is_same_v<kept, nothing>) return detail::call(op, x...);
        else return detail::call(keeping_op<Op, kept>{op, to}, x...);
    }
};
template <class Op, class... X>
using op_below_t = op_below<Op, Op::merges && (is_pushed_v<X> || ...), X...>;

}  // namespace ricci::detail
