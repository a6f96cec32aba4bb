// The cosine. Its derivative needs the sine, which one evaluation gives with it.
#pragma once
#include "sin.hpp"

namespace ricci {
namespace ops {
struct cos : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::cos(x);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value_with_residual(const S& x) {
        const auto both = detail::sine_and_cosine(x);
        return detail::make_pack(detail::get<1>(both), detail::get<0>(both));
    }
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::get<1>(detail::sine_and_cosine(x));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&, const R& sine) {
        return -(y_bar * sine);
    }
};
}  // namespace ops

/// Cosine of each element, in radians; integers promoted to double. cos(+-0) = 1, cos(+-inf) = NaN. Derivative -sin(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto cos(E&& x) {
    return map<ops::cos>(std::forward<E>(x));
}
}  // namespace ricci
