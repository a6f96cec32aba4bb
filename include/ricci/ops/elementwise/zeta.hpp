// The Hurwitz zeta function.
#pragma once
#include <limits>

#include "../../cpu/math/zeta.hpp"
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct zeta : floating {
    static constexpr int cost = 600;
    template <class A, class Q>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& s, const Q& q) {
        using S = decltype(s + q);
        return math::zeta(S(s), S(q));
    }
    template <class Y, class A, class Q, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& s, const Q& q, const R& y) {
        return adjoints(y * std::numeric_limits<double>::quiet_NaN(),
                        y_bar * (-s * detail::evaluate_op(zeta(), s + 1, q)));
    }
};
}  // namespace ops

/// The sum of (q + k)^-s over k = 0, 1, ..., broadcast: the Riemann zeta function of s at q = 1; integers promoted to
/// double. inf at s = 1 and where q is 0 or a negative integer, NaN for s < 1 and for other negative q unless s is an
/// integer and q above -2^20. At most 6 ulp for q > 0; below 0 terms of odd powers cancel. Derivative -s zeta(s + 1, q)
/// in q; in s NaN, where PyTorch refuses it. (torch.special.zeta, scipy.special.zeta, jax.scipy.special.zeta.)
template <operand A, operand Q>
RICCI_HD RICCI_INLINE constexpr auto zeta(A&& s, Q&& q) {
    return map<ops::zeta>(std::forward<A>(s), std::forward<Q>(q));
}
}  // namespace ricci
