// The reciprocal.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct reciprocal : floating {
    static constexpr int cost = 4;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return S(1) / x;
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return -y_bar * (y * y);
    }
};
}  // namespace ops

/// 1 / x of each element, correctly rounded; integers promoted to double. +-inf at +-0. Derivative -1 / x^2.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto reciprocal(E&& x) {
    return map<ops::reciprocal>(std::forward<E>(x));
}
}  // namespace ricci
