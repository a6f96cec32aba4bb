// The hyperbolic cosine.
#pragma once
#include "../declarations.hpp"
#include "sinh.hpp"

namespace ricci {
namespace ops {
struct cosh : floating {
    static constexpr int cost = 25;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::cosh(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::sinh(x);
    }
};
}  // namespace ops

/// Hyperbolic cosine of each element; integers promoted to double. cosh(0) = 1, cosh(+-inf) = inf. At most 2 ulp.
/// Derivative sinh(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto cosh(E&& x) {
    return map<ops::cosh>(std::forward<E>(x));
}
}  // namespace ricci
