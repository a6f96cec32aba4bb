// The nearest integer.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include "astype.hpp"
#include "complex.hpp"
#include "divide.hpp"
#include "imag.hpp"
#include "minimum.hpp"
#include "multiply.hpp"
#include "real.hpp"

namespace ricci {
namespace ops {
struct round : of_reals<arithmetic> {
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

/// The nearest integer to each element, halves to the even one, in its own type; zeros keep their sign; of complex
/// elements both parts. Derivative 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto round(E&& x) {
    if constexpr (requires { requires is_complex_v<typename std::remove_cvref_t<E>::value_type>; })
        return ricci::complex(round(ricci::real(x)), round(ricci::imag(x)));
    else return map<ops::round>(std::forward<E>(x));
}

/// The nearest multiple of 10^-decimals, as x * 10^decimals is rounded; of integers in double, modulo 2^bits, and for
/// decimals from 0 on they themselves. (numpy.round.)
template <expression E>
auto round(const E& x, int decimals) {
    using T = typename E::value_type;
    static_assert(!std::is_same_v<T, bool>, "ricci: round to decimals takes numbers: convert by astype");
    // a power and its reciprocal would round differently: one of the two factors is 1
    const double up = std::pow(10.0, decimals > 0 ? decimals : 0),
                 down = std::pow(10.0, decimals < 0 ? -double(decimals) : 0);
    if constexpr (is_complex_v<T>) return ricci::complex(round(real(x), decimals), round(imag(x), decimals));
    else if constexpr (is_inexact_v<T>) return round(x * up / down) * down / up;
    else {
        using whole = std::conditional_t<std::is_unsigned_v<T>, std::uint64_t, std::int64_t>;
        const double most = std::nextafter(std::ldexp(1.0, std::numeric_limits<whole>::digits), 0.0);
        return decimals < 0 ? evaluate(astype<T>(astype<whole>(minimum(round(x / down) * down, most))))
                            : evaluate(astype<T>(x));
    }
}
}  // namespace ricci
