// The reciprocal of the square root.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct rsqrt : floating {
    static constexpr int cost = 8;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return S(1) / math::sqrt(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (-0.5 * y * y * y);
    }
};
}  // namespace ops

/// 1 / sqrt(x) of each element; integers promoted to double. inf at 0, -inf at -0, NaN below. At most 2 ulp. Derivative
/// -y^3 / 2.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto rsqrt(E&& x) {
    return map<ops::rsqrt>(std::forward<E>(x));
}
}  // namespace ricci
