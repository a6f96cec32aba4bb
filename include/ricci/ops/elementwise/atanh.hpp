// The inverse hyperbolic tangent.
#pragma once
#include "../declarations.hpp"
#include "one_minus_square.hpp"

namespace ricci {
namespace ops {
struct atanh : floating {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::atanh(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / detail::one_minus_square(x);
    }
};
}  // namespace ops

/// Inverse hyperbolic tangent of each element; integers promoted to double. atanh(+-0) = +-0, atanh(+-1) = +-inf,
/// atanh(|x| > 1) = NaN. At most 2 ulp. Derivative 1 / (1 - x^2).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto atanh(E&& x) {
    return map<ops::atanh>(std::forward<E>(x));
}
}  // namespace ricci
