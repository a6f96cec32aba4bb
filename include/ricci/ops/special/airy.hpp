// The Airy function.
#pragma once
#include "../../cpu/math/airy.hpp"
#include "../declarations.hpp"

namespace ricci {
namespace ops {
/// The slope of Ai, whose own is x Ai.
struct airy_slope : of_reals<floating> {
    static constexpr int cost = 400;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::airy(true, x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&);
};
struct airy : of_reals<floating> {
    static constexpr int cost = 400;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::airy(false, x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * map<airy_slope>(x);
    }
};
template <class Y, class S, class R>
RICCI_HD RICCI_INLINE constexpr auto airy_slope::pullback(const Y& y_bar, const S& x, const R&) {
    return y_bar * (x * map<airy>(x));
}
}  // namespace ops

/// The Airy function Ai of each element; integers promoted to double. 0 at +-inf. Within 8 ulp for positive numbers,
/// for negative ones within 1e-15 of its largest values near them (measured by mpmath; both beside the rounding of x).
/// Derivatives of any order: its second is x Ai(x). (torch.special.airy_ai, scipy.special.airy.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto airy_ai(E&& x) {
    return map<ops::airy>(std::forward<E>(x));
}
}  // namespace ricci
