// Limiting values to an interval.
#pragma once
#include "maximum.hpp"
#include "minimum.hpp"

namespace ricci {
struct none_t;
namespace ops {
struct clip : arithmetic {
    static constexpr bool selects = true;
    template <class S, class L, class H>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x, const L& low, const H& high) {
        return math::minimum(math::maximum(x, low), high);
    }
    template <class Y, class S, class L, class H, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const L& low, const H& high,
                                                         const R&) {
        return adjoints(ricci::where(x >= low && x <= high, y_bar, 0), ricci::where(x < low && low < high, y_bar, 0),
                        ricci::where(x > high || (x < low && high <= low), y_bar, 0));
    }
};
}  // namespace ops

/// x limited to [low, high], broadcast, in the common type; NaN stays NaN; `high` wins where low > high. The derivative is 1
/// inside and at the limits, 0 outside, where it goes to the limit that was taken (PyTorch's choice).
template <operand X, operand L, operand H>
RICCI_HD RICCI_INLINE constexpr auto clip(X&& x, L&& low, H&& high) {
    return map<ops::clip>(std::forward<X>(x), std::forward<L>(low), std::forward<H>(high));
}

/// With one bound: clip(x, low), and clip(x, none, high).
template <operand X, operand L>
RICCI_HD RICCI_INLINE constexpr auto clip(X&& x, L&& low) {
    using T = common_t<detail::kind_t<X>, detail::kind_t<L>>;
    if constexpr (std::is_integral_v<T>)
        return clip(std::forward<X>(x), std::forward<L>(low), std::numeric_limits<T>::max());
    else return clip(std::forward<X>(x), std::forward<L>(low), std::numeric_limits<double>::infinity());
}
template <operand X, operand H>
RICCI_HD RICCI_INLINE constexpr auto clip(X&& x, none_t, H&& high) {
    using T = common_t<detail::kind_t<X>, detail::kind_t<H>>;
    if constexpr (std::is_integral_v<T>)
        return clip(std::forward<X>(x), std::numeric_limits<T>::lowest(), std::forward<H>(high));
    else return clip(std::forward<X>(x), -std::numeric_limits<double>::infinity(), std::forward<H>(high));
}
}  // namespace ricci
