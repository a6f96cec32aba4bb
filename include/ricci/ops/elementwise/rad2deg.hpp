// Radians to degrees.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct rad2deg : floating {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return x * S(57.295779513082323);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        return y_bar * 57.295779513082323;
    }
};
}  // namespace ops

/// Each element times 180 / pi; integers promoted to double. At most 1 ulp. Derivative 180 / pi.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto rad2deg(E&& x) {
    return map<ops::rad2deg>(std::forward<E>(x));
}
}  // namespace ricci
