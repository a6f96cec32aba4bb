// The cube root.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct cbrt : of_reals<floating> {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::cbrt(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar / (3 * y) / y;  // y^2 would have NaN for a derivative at 0
    }
};
}  // namespace ops

/// Cube root of each element, negative of negative ones; integers promoted to double. cbrt(+-0) = +-0, cbrt(+-inf) =
/// +-inf. At most 2 ulp. Derivative 1 / (3 cbrt(x)^2), inf at 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto cbrt(E&& x) {
    return map<ops::cbrt>(std::forward<E>(x));
}
}  // namespace ricci
