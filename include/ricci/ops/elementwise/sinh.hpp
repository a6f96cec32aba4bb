// The hyperbolic sine.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct sinh : floating {
    static constexpr int cost = 30;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::sinh(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::cosh(x);
    }
};
}  // namespace ops

/// Hyperbolic sine of each element; integers promoted to double. sinh(+-0) = +-0, sinh(+-inf) = +-inf. At most 2 ulp.
/// Derivative cosh(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sinh(E&& x) {
    return map<ops::sinh>(std::forward<E>(x));
}
}  // namespace ricci
