// Quantiles of the gamma distribution.
#pragma once
#include "../../cpu/math/gamma_quantile.hpp"
#include "../elementwise/gammainc.hpp"

namespace ricci {
namespace ops {
/// Of the lower share, or of the upper one.
template <bool Upper>
struct gamma_quantile : of_reals<floating> {
    static constexpr int cost = 4000;
    template <class A, class P>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const P& p) {
        using S = decltype(a + p);
        if constexpr (Upper) return math::gammainccinv(S(a), S(p));
        else return math::gammaincinv(S(a), S(p));
    }
    template <class Y, class A, class P, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const P&, const R& y) {
        const auto by_share = y_bar / detail::of_order<gamma_density>(0, a, y);
        const auto by_form = -by_share * detail::of_order<gammainc_in_a>(1, a, y);
        if constexpr (Upper) return adjoints(by_form, -by_share);
        else return adjoints(by_form, by_share);
    }
};
}  // namespace ops

/// The x with gammainc(a, x) = p, the quantile of the gamma distribution of shape a, broadcast; integers promoted to
/// double. 0 at p = 0, inf at 1; NaN unless 0 < a < inf and 0 <= p <= 1. As exact as rounding p by 2 ulp would have it
/// (measured by mpmath, to shares of 1e-100). Derivatives 1 / density in p, and in a by that of gammainc.
/// (scipy.special.gammaincinv; scipy.stats.gamma.ppf, and twice it of half the degrees of freedom chi2.ppf.)
template <operand A, operand P>
RICCI_HD RICCI_INLINE constexpr auto gammaincinv(A&& a, P&& p) {
    return map<ops::gamma_quantile<false>>(std::forward<A>(a), std::forward<P>(p));
}
/// The x with gammaincc(a, x) = q, exact also where q is small. The rest as of gammaincinv.
/// (scipy.special.gammainccinv, scipy.stats.gamma.isf.)
template <operand A, operand P>
RICCI_HD RICCI_INLINE constexpr auto gammainccinv(A&& a, P&& q) {
    return map<ops::gamma_quantile<true>>(std::forward<A>(a), std::forward<P>(q));
}
}  // namespace ricci
