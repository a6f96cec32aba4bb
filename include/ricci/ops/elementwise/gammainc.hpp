// The regularised incomplete gamma functions.
#pragma once
#include "../../cpu/math/incomplete_gamma.hpp"
#include "../declarations.hpp"
#include "polygamma.hpp"

namespace ricci {
namespace ops {
/// The n-th derivative with respect to a of the gamma distribution's density x^(a - 1) exp(-x) / gamma(a).
struct gamma_density : floating {
    static constexpr int cost = 300;
    int order = 0;
    template <class A, class X>
    RICCI_HD RICCI_INLINE constexpr auto value(const A& a, const X& x) const {
        using S = decltype(a + x);
        return math::gamma_density(order, S(a), S(x));
    }
    template <class Y, class A, class X, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const A& a, const X& x, const R& y) const;
};
/// The n-th derivative of gammainc with respect to a.
struct gammainc_in_a : floating {
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

/// An op of that order of a and x, which are scalars of any kind or arrays.
template <class Op, class A, class X>
RICCI_HD RICCI_INLINE constexpr auto of_order(int n, const A& a, const X& x) {
    Op op;
    op.order = n;
    if constexpr (expression<A> || expression<X>) return make_map(op, a, x);
    else return evaluate_op(op, a, x);
}

}  // namespace detail
namespace ops {
template <class Y, class A, class X, class R>
RICCI_HD RICCI_INLINE constexpr auto gamma_density::pullback(const Y& y_bar, const A& a, const X& x, const R& y) const {
    const auto less = detail::of_order<gamma_density>(order > 0 ? order - 1 : 0, a, x);
    return adjoints(y_bar * detail::of_order<gamma_density>(order + 1, a, x),
                    y_bar * (y * ((a - 1) / x - 1) + less * (static_cast<double>(order) / x)));
}
template <class Y, class A, class X, class R>
RICCI_HD RICCI_INLINE constexpr auto gammainc_in_a::pullback(const Y& y_bar, const A& a, const X& x, const R&) const {
    return adjoints(y_bar * detail::of_order<gammainc_in_a>(order + 1, a, x),
                    y_bar * detail::of_order<gamma_density>(order, a, x));
}
struct gammainc : floating {
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
struct gammaincc : floating {
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

/// The regularised lower incomplete gamma function P(a, x), the share of the gamma distribution of shape a below x, broadcast;
/// integers promoted to double. 0 at x = 0, 1 at x = inf and for a = 0; NaN for negative arguments and where both are 0 or
/// infinite. At most 10 ulp for a up to 300 and shares above 1e-300. Derivatives x^(a - 1) exp(-x) / gamma(a) in x and, by numerical integration, that in a, to order 8 in a.
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
