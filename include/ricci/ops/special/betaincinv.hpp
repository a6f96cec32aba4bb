// Quantiles of the beta distribution.
#pragma once
#include "../../cpu/math/beta_quantile.hpp"
#include "../elementwise/betainc.hpp"

namespace ricci {
namespace ops {
/// Of the lower share, or of the upper one.
template <bool Upper>
struct beta_quantile : of_reals<floating> {
    static constexpr int cost = 6000;
    template <class A, class B, class P>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b, const P& p) {
        using S = decltype(a + b + p);
        if constexpr (Upper) return math::betainccinv(S(a), S(b), S(p));
        else return math::betaincinv(S(a), S(b), S(p));
    }
    template <class Y, class A, class B, class P, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const P&, const R& y) {
        const auto by_share = y_bar / detail::evaluate_op(beta_density(), a, b, y);
        betainc_in in_a, in_b;
        in_a.order = {1, 0};
        in_b.order = {0, 1};
        const auto by_a = -by_share * detail::evaluate_op(in_a, a, b, y);
        const auto by_b = -by_share * detail::evaluate_op(in_b, a, b, y);
        if constexpr (Upper) return adjoints(by_a, by_b, -by_share);
        else return adjoints(by_a, by_b, by_share);
    }
};
}  // namespace ops

/// The x with betainc(a, b, x) = p, the quantile of the beta distribution, broadcast; integers promoted to double. 0 at
/// p = 0, 1 at 1; NaN unless a and b are positive and finite and 0 <= p <= 1. As exact as rounding p by betainc's error
/// would have it (measured by mpmath). Derivatives 1 / density in p, and in a and b by those of betainc.
/// (scipy.special.betaincinv; scipy.stats.beta.ppf.)
template <operand A, operand B, operand P>
RICCI_HD RICCI_INLINE constexpr auto betaincinv(A&& a, B&& b, P&& p) {
    return map<ops::beta_quantile<false>>(std::forward<A>(a), std::forward<B>(b), std::forward<P>(p));
}
/// The x with 1 - betainc(a, b, x) = q, exact also where q is small. The rest as of betaincinv.
/// (scipy.special.betainccinv, scipy.stats.beta.isf.)
template <operand A, operand B, operand P>
RICCI_HD RICCI_INLINE constexpr auto betainccinv(A&& a, B&& b, P&& q) {
    return map<ops::beta_quantile<true>>(std::forward<A>(a), std::forward<B>(b), std::forward<P>(q));
}
}  // namespace ricci
