// The inverse hyperbolic cosine.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct acosh : floating {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::acosh(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        // two roots: the product may overflow, and of complex numbers its root may be the other one
        return y_bar / (ricci::sqrt(x - 1) * ricci::sqrt(x + 1));
    }
};
}  // namespace ops

/// Inverse hyperbolic cosine of each element; integers promoted to double. acosh(1) = 0, acosh(x < 1) = NaN, acosh(inf)
/// = inf. At most 2 ulp. Derivative 1 / sqrt(x^2 - 1), inf at 1.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto acosh(E&& x) {
    return map<ops::acosh>(std::forward<E>(x));
}
}  // namespace ricci
