// The logarithm of the gamma function.
#pragma once
#include "../declarations.hpp"
#include "digamma.hpp"

namespace ricci {
namespace ops {
struct lgamma : of_reals<floating> {
    static constexpr int cost = 100;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::lgamma(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::digamma(x);
    }
};
}  // namespace ops

/// log |gamma(x)| of each element; integers promoted to double. lgamma(1) = lgamma(2) = 0, inf at 0, at the negative
/// integers and at +-inf. At most 2 ulp, near the zeros below -5 by the standard library one by one. Derivative
/// digamma(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto lgamma(E&& x) {
    return map<ops::lgamma>(std::forward<E>(x));
}
}  // namespace ricci
