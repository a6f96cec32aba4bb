// The smallest integer not below.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct ceil : of_reals<arithmetic> {
    static constexpr bool selects = true;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::ceil(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const S&, const R&) {
        return Y(0);
    }
};
}  // namespace ops

/// The smallest integer not below each element, in its own type; zeros keep their sign. Derivative 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto ceil(E&& x) {
    return map<ops::ceil>(std::forward<E>(x));
}
}  // namespace ricci
