// The regularised incomplete gamma functions.
#pragma once
#include "../../cpu/math/incomplete_gamma.hpp"
#include "../declarations.hpp"
#include "polygamma.hpp"

namespace ricci {
namespace ops {
/// The n-th derivative with respect to a of the gamma distribution's density x^(c - 1) exp(-x) / gamma(c), c = a -
/// below; NaN where gammainc(a, x) is.
struct gamma_density : of_reals<floating> {
    static constexpr int cost = 300;
    int order = 0, below = 0;
    template <class A, class X>
    RICCI_HD RICCI_INLINE constexpr auto value(const A& a, const X& x) const {
        using S = decltype(a + x);
        return math::gamma_density(detail::density_order{order, below}, S(a), S(x));
    }
    template <class Y, class A, class X, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const A& a, const X& x, const R& y) const;
};
/// The n-th derivative of gammainc with respect to a.
struct gammainc_in_a : of_reals<floating> {
    static constexpr int cost = 8000;
    int order = 1;
    template <class A, class X>
    RICCI_HD RICCI_INLINE constexpr auto value(const A& a, const X& x) const {
        using S = decltype(a + x);
        return math::gammainc_in_a(order, S(a), S(x));
    }
    template <class Y, class A, class X, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const A& a, const X& x, const R&) const;
};
}  // namespace ops
namespace detail {

/// An op of a and x, which are scalars of any kind or arrays.
template <class Op, class A, class X>
RICCI_HD RICCI_INLINE constexpr auto apply_op(const Op& op, const A& a, const X& x) {
    if constexpr (expression<A> || expression<X>) return make_map(op, a, x);
    else return evaluate_op(op, a, x);
}
template <class Op, class A, class X>
RICCI_HD RICCI_INLINE constexpr auto of_order(int n, const A& a, const X& x) {
    Op op;
    op.order = n;
    return apply_op(op, a, x);
}

}  // namespace detail
namespace ops {
template <class Y, class A, class X, class R>
RICCI_HD RICCI_INLINE constexpr auto gamma_density::pullback(const Y& y_bar, const A& a, const X& x, const R& y) const {
    gamma_density higher = *this, lower = *this;
    ++higher.order;
    ++lower.below;
    return adjoints(y_bar * detail::apply_op(higher, a, x), y_bar * (detail::apply_op(lower, a, x) - y));
}
template <class Y, class A, class X, class R>
RICCI_HD RICCI_INLINE constexpr auto gammainc_in_a::pullback(const Y& y_bar, const A& a, const X& x, const R&) const {
    return adjoints(y_bar * detail::of_order<gammainc_in_a>(order + 1, a, x),
                    y_bar * detail::of_order<gamma_density>(order, a, x));
}
struct gammainc : of_reals<floating> {
    static constexpr int cost = 400;
    template <class A, class X>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const X& x) {
        using S = decltype(a + x);
        return math::gammainc(S(a), S(x));
    }
    template <class Y, class A, class X, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const X& x, const R&) {
        return adjoints(y_bar * detail::of_order<gammainc_in_a>(1, a, x),
                        y_bar * detail::of_order<gamma_density>(0, a, x));
    }
};
struct gammaincc : of_reals<floating> {
    static constexpr int cost = 400;
    template <class A, class X>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const X& x) {
        using S = decltype(a + x);
        return math::gammaincc(S(a), S(x));
    }
    template <class Y, class A, class X, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const X& x, const R&) {
        return adjoints(-y_bar * detail::of_order<gammainc_in_a>(1, a, x),
                        -y_bar * detail::of_order<gamma_density>(0, a, x));
    }
};
}  // namespace ops

/// The regularised lower incomplete gamma function P(a, x), the share of the gamma distribution of shape a below x,
/// broadcast; integers promoted to double. 0 at x = 0, 1 at x = inf and for a = 0; NaN for negative arguments and where
/// both are 0 or infinite. At most 3 ulp for shares above 1e-290, within 4 sqrt(a) of x = a up to a = 250 and from 9
/// sqrt(a) below it to 4 sqrt(a) above for a up to 1e15 (measured by mpmath, as 10 elsewhere up to 300). Derivatives
/// x^(a - 1) exp(-x) / gamma(a) in x and, by numerical integration, that in a, to order 8 in a.
/// (torch.special.gammainc, scipy.special.gammainc, jax.scipy.special.gammainc.)
template <operand A, operand X>
RICCI_HD RICCI_INLINE constexpr auto gammainc(A&& a, X&& x) {
    return map<ops::gammainc>(std::forward<A>(a), std::forward<X>(x));
}
/// 1 - P(a, x), accurate also where it is small: 1 at x = 0, 0 at x = inf and for a = 0. The rest as of gammainc.
/// (torch.special.gammaincc, scipy.special.gammaincc, jax.scipy.special.gammaincc.)
template <operand A, operand X>
RICCI_HD RICCI_INLINE constexpr auto gammaincc(A&& a, X&& x) {
    return map<ops::gammaincc>(std::forward<A>(a), std::forward<X>(x));
}
}  // namespace ricci
