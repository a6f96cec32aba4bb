// The largest integer not above.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct floor : of_reals<arithmetic> {
    static constexpr bool selects = true;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::floor(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const S&, const R&) {
        return Y(0);
    }
};
}  // namespace ops

/// The largest integer not above each element, in its own type; zeros keep their sign. Derivative 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto floor(E&& x) {
    return map<ops::floor>(std::forward<E>(x));
}
}  // namespace ricci
