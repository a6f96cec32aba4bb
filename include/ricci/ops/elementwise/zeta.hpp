// The Hurwitz zeta function.
#pragma once
#include "../../cpu/math/zeta.hpp"
#include "../declarations.hpp"

namespace ricci {
namespace ops {
/// The n-th derivative of zeta with respect to s, n >= 1.
struct zeta_in_s : of_reals<floating> {
    static constexpr int cost = 900;
    int order = 1;
    template <class A, class Q>
    RICCI_HD RICCI_INLINE constexpr auto value(const A& s, const Q& q) const {
        using S = decltype(s + q);
        return math::zeta_in_s(order, S(s), S(q));
    }
    template <class Y, class A, class Q, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const A& s, const Q& q, const R&) const {
        // of -s zeta(s + 1, q), the derivative in q, `order` times in s
        zeta_in_s higher, lower;
        higher.order = order + 1;
        lower.order = order - 1;
        return adjoints(
            y_bar * detail::evaluate_op(higher, s, q),
            -y_bar * (s * detail::evaluate_op(*this, s + 1, q) + order * detail::evaluate_op(lower, s + 1, q)));
    }
};
struct zeta : of_reals<floating> {
    static constexpr int cost = 600;
    template <class A, class Q>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& s, const Q& q) {
        using S = decltype(s + q);
        return math::zeta(S(s), S(q));
    }
    template <class Y, class A, class Q, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& s, const Q& q, const R&) {
        return adjoints(y_bar * detail::evaluate_op(zeta_in_s(), s, q),
                        y_bar * (-s * detail::evaluate_op(zeta(), s + 1, q)));
    }
};
}  // namespace ops

/// The sum of (q + k)^-s over k = 0, 1, ..., broadcast: the Riemann zeta function of s at q = 1; integers promoted to
/// double. inf at s = 1 and where q is 0 or a negative integer, NaN for s < 1 and for other negative q unless s is an
/// integer and q above -2^20. At most 6 ulp for q > 0; below 0 terms of odd powers cancel. Derivatives
/// -s zeta(s + 1, q) in q and, to order 8 and for q > 0, the sum of -log(q + k) (q + k)^-s in s, which PyTorch refuses;
/// NaN in s for q < 0. (torch.special.zeta, scipy.special.zeta, jax.scipy.special.zeta.)
template <operand A, operand Q>
RICCI_HD RICCI_INLINE constexpr auto zeta(A&& s, Q&& q) {
    return map<ops::zeta>(std::forward<A>(s), std::forward<Q>(q));
}
}  // namespace ricci
