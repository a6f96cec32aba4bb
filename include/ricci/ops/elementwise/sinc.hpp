// The normalized cardinal sine.
#pragma once
#include "../declarations.hpp"
#include "abs.hpp"
#include "cos.hpp"
#include "round.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct sinc : floating {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) return complex_value(x);
        else return real_value(x);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto complex_value(const S& x) {
        using R = real_t<detail::scalar_base_t<S>>;
        const S a = x * S(R(3.14159265358979323846L));
        return math::select(x == S(R(0)), S(R(1)), math::sin(a) / a);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto real_value(const S& x) {
        const auto n = math::round(x), r = x - n, a = r * S(3.14159265358979323846L), half = n * S(0.5);
        const auto whole = math::select(x == S(0), S(1), S(0)), shape = math::sin(a) / a * (r / x);
        const auto y = math::select(r == S(0), whole, math::select(math::round(half) == half, shape, -shape));
        return math::select(math::isinf(x), S(0), y);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        const auto a = 3.1415926535897932 * x;
        const auto q = a * a;
        // the quotient loses all digits near 0, and has no derivative there: its series, up to a = pi / 4
        const auto series =
            -3.1415926535897932 * a *
            (1. / 3 -
             q * (1. / 30 -
                  q * (1. / 840 - q * (1. / 45360 -
                                       q * (1. / 3991680 - q * (1. / 518918400 - q * (1. / 93405312000. -
                                                                                      q * (1. / 22230464256000.))))))));
        return y_bar * ricci::where(ricci::abs(x) < 0.25, series, (cosine(x) - y) / ricci::where(x == 0, 1, x));
    }
    /// cos(pi x), of real numbers by their distance from a whole one: a large pi x has no digits left behind the point.
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto cosine(const S& x) {
        if constexpr (is_complex_scalar_v<S>) {
            return ricci::cos(3.1415926535897932 * x);
        } else {
            const auto n = ricci::round(x), half = 0.5 * n;
            const auto size = ricci::cos(3.1415926535897932 * (x - n));
            return ricci::where(ricci::round(half) == half, size, -size);
        }
    }
};
}  // namespace ops

/// sin(pi x) / (pi x) of each element, 1 at 0 and exactly 0 at other integers; integers promoted to double. 0 at +-inf.
/// At most 4 ulp. Derivative (cos(pi x) - y) / x, 0 at 0. Complex numbers too.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sinc(E&& x) {
    return map<ops::sinc>(std::forward<E>(x));
}
}  // namespace ricci
