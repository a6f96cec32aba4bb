// The derivative of the logarithm of the gamma function.
#pragma once
#include "../declarations.hpp"
#include "polygamma.hpp"

namespace ricci {
namespace ops {
struct digamma : of_reals<floating> {
    static constexpr int cost = 80;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::digamma(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::polygamma(1, x);
    }
};
}  // namespace ops

/// The derivative of log |gamma(x)| of each element; integers promoted to double. digamma(+-0) = -+inf, digamma(inf) =
/// inf, NaN at the negative integers and at -inf. At most 2 ulp for x > 0; below 0 one by one, and near a zero there
/// the error is that of x. Derivative polygamma(1, x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto digamma(E&& x) {
    return map<ops::digamma>(std::forward<E>(x));
}
}  // namespace ricci
