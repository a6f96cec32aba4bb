// The arc sine.
#pragma once
#include "../declarations.hpp"
#include "one_minus_square.hpp"

namespace ricci {
namespace ops {
struct asin : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::asin(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / ricci::sqrt(detail::one_minus_square(x));
    }
};
}  // namespace ops

/// Arc sine of each element, in radians from -pi/2 to pi/2; integers promoted to double. asin(+-0) = +-0, asin(|x| > 1)
/// = NaN. At most 2 ulp. Derivative 1 / sqrt(1 - x^2), inf at +-1.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto asin(E&& x) {
    return map<ops::asin>(std::forward<E>(x));
}
}  // namespace ricci
