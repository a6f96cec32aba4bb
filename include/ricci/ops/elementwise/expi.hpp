// The exponential integrals.
#pragma once
#include <limits>

#include "../../cpu/math/exponential_integral.hpp"
#include "../declarations.hpp"
#include "exp.hpp"

namespace ricci {
namespace ops {
struct expi : of_reals<floating> {
    static constexpr int cost = 120;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::expi(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * (ricci::exp(x) / x);
    }
};
struct exp1 : of_reals<floating> {
    static constexpr int cost = 90;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::exp1(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return -y_bar * (ricci::exp(-x) / x);
    }
};
struct expn : of_reals<floating> {
    static constexpr int cost = 300;
    int order = 1;
    template <class S>
    RICCI_HD RICCI_INLINE constexpr auto value(const S& x) const {
        return math::expn(order, x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const S& x, const R&) const {
        expn lower;
        lower.order = order > std::numeric_limits<int>::min() ? order - 1 : order;
        return -y_bar * detail::evaluate_op(lower, x);
    }
};
}  // namespace ops

/// The exponential integral Ei of each element, the principal value of the integral of exp(t) / t from -inf to x;
/// integers promoted to double. -inf at +-0, -0 at -inf, inf at inf. At most 6 ulp, measured by mpmath. Derivative
/// exp(x) / x. (scipy.special.expi, jax.scipy.special.expi.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto expi(E&& x) {
    return map<ops::expi>(std::forward<E>(x));
}
/// The exponential integral E1 of each element, the integral of exp(-t) / t from x to inf; integers promoted to double.
/// inf at +-0, 0 at inf, NaN for negative numbers. At most 6 ulp, measured by mpmath. Derivative -exp(-x) / x.
/// (scipy.special.exp1, jax.scipy.special.exp1.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto exp1(E&& x) {
    return map<ops::exp1>(std::forward<E>(x));
}
/// The exponential integral En of each element, the integral of exp(-x t) / t^n from 1 to inf, for an integer n, the
/// first argument; integers promoted to double. 1 / (n - 1) at +-0, inf for n < 2, 0 at inf, NaN for negative numbers.
/// At most 8 ulp, measured by mpmath. Derivative -E(n - 1). (scipy.special.expn, jax.scipy.special.expn; n < 0 too.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto expn(int n, E&& x) {
    ops::expn op;
    op.order = n;
    if constexpr (expression<E>) return detail::make_map(op, std::forward<E>(x));
    else return detail::evaluate_op(op, x);
}
}  // namespace ricci
