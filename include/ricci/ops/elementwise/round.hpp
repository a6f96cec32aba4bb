// The nearest integer.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct round : arithmetic {
    static constexpr bool selects = true;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::round(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const S&, const R&) {
        return Y(0);
    }
};
}  // namespace ops

/// The nearest integer to each element, halves to the even one, in its own type; zeros keep their sign. Derivative 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto round(E&& x) {
    return map<ops::round>(std::forward<E>(x));
}
}  // namespace ricci
