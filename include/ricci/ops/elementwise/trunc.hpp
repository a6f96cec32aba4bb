// The integer part.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct trunc : of_reals<arithmetic> {
    static constexpr bool selects = true;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::trunc(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const S&, const R&) {
        return Y(0);
    }
};
}  // namespace ops

/// Each element without its fraction, in its own type; zeros keep their sign. Derivative 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto trunc(E&& x) {
    return map<ops::trunc>(std::forward<E>(x));
}
}  // namespace ricci
