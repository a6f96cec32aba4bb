// The arc cosine.
#pragma once
#include "../declarations.hpp"
#include "one_minus_square.hpp"

namespace ricci {
namespace ops {
struct acos : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::acos(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return -y_bar / ricci::sqrt(detail::one_minus_square(x));
    }
};
}  // namespace ops

/// Arc cosine of each element, in radians from 0 to pi; integers promoted to double. acos(1) = 0, acos(|x| > 1) = NaN.
/// At most 2 ulp. Derivative -1 / sqrt(1 - x^2), -inf at +-1.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto acos(E&& x) {
    return map<ops::acos>(std::forward<E>(x));
}
}  // namespace ricci
