// The exponential integrals.
#pragma once
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
}  // namespace ops

/// The exponential integral Ei of each element, the principal value of the integral of exp(t) / t from -inf to x; integers
/// promoted to double. -inf at +-0, -0 at -inf, inf at inf. At most 6 ulp, measured by mpmath. Derivative exp(x) / x.
/// (scipy.special.expi, jax.scipy.special.expi.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto expi(E&& x) {
    return map<ops::expi>(std::forward<E>(x));
}
/// The exponential integral E1 of each element, the integral of exp(-t) / t from x to inf; integers promoted to double. inf
/// at +-0, 0 at inf, NaN for negative numbers. At most 6 ulp, measured by mpmath. Derivative -exp(-x) / x.
/// (scipy.special.exp1, jax.scipy.special.exp1.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto exp1(E&& x) {
    return map<ops::exp1>(std::forward<E>(x));
}
}  // namespace ricci
