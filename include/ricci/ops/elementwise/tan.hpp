// The tangent.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct tan : floating {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::tan(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (1 + y * y);
    }
};
}  // namespace ops

/// Tangent of each element, in radians; integers promoted to double. tan(+-0) = +-0, tan(+-inf) = NaN. At most 2 ulp.
/// Derivative 1 + tan(x)^2.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto tan(E&& x) {
    return map<ops::tan>(std::forward<E>(x));
}
}  // namespace ricci
