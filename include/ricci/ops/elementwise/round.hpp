// The nearest integer.
#pragma once
#include <cmath>

#include "divide.hpp"
#include "multiply.hpp"

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

/// The nearest multiple of 10^-decimals, as x * 10^decimals is rounded; floating-point numbers. (numpy.round.)
template <expression E>
auto round(const E& x, int decimals) {
    static_assert(is_inexact_v<typename E::value_type>,
                  "ricci: round to decimals takes floating-point numbers: convert by astype");
    // a power and its reciprocal would round differently: one of the two factors is 1
    const double up = std::pow(10.0, decimals > 0 ? decimals : 0), down = std::pow(10.0, decimals < 0 ? -decimals : 0);
    return round(x * up / down) * down / up;
}
}  // namespace ricci
