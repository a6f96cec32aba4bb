// The inverse hyperbolic sine.
#pragma once
#include "../declarations.hpp"
#include "hypot.hpp"

namespace ricci {
namespace ops {
struct asinh : floating {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::asinh(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        if constexpr (is_complex_scalar_v<S>) return y_bar / ricci::sqrt(x * x + 1);
        else return y_bar / ricci::hypot(x, 1);  // the square may overflow
    }
};
}  // namespace ops

/// Inverse hyperbolic sine of each element; integers promoted to double. asinh(+-0) = +-0, asinh(+-inf) = +-inf. At
/// most 2 ulp. Derivative 1 / sqrt(x^2 + 1).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto asinh(E&& x) {
    return map<ops::asinh>(std::forward<E>(x));
}
}  // namespace ricci
