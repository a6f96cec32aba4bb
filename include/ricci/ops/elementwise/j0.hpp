// The Bessel functions of the orders 0 and 1, of the first and the second kind.
#pragma once
#include "../../cpu/math/bessel_j.hpp"
#include "i0.hpp"

namespace ricci {

template <operand E>
RICCI_HD RICCI_INLINE constexpr auto j0(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto j1(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto y0(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto y1(E&& x);

namespace ops {
struct j0 : of_reals<floating> {
    static constexpr int cost = 90;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::j0(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return -y_bar * ricci::j1(x);
    }
};
struct j1 : of_reals<floating> {
    static constexpr int cost = 90;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::j1(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        const auto quotient = ricci::j0(x) - y / ricci::where(x == 0, 1, x);
        return y_bar * ricci::where(ricci::abs(x) < 0.25, detail::i1_slope_series(-(x * x)), quotient);
    }
};
struct y0 : of_reals<floating> {
    static constexpr int cost = 120;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::y0(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return -y_bar * ricci::y1(x);
    }
};
struct y1 : of_reals<floating> {
    static constexpr int cost = 120;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::y1(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        const auto other = ricci::y0(x);
        return y_bar * (ricci::where(x == 0, 0, other) - y / x);  // at 0, too, where both are -inf
    }
};
}  // namespace ops

/// The Bessel function of the first kind and order 0 of each element; integers promoted to double. 0 at +-inf. Errors
/// are below 6e-16 of the larger of |j0(x)| and 1 / sqrt(|x|), measured by mpmath: near its zeros relative ones are not
/// bounded. Derivative -j1(x). (scipy.special.j0, torch.special.bessel_j0.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto j0(E&& x) {
    return map<ops::j0>(std::forward<E>(x));
}
/// That of order 1, which is odd; errors as those of j0. Derivative j0(x) - j1(x) / x.
/// (scipy.special.j1, torch.special.bessel_j1.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto j1(E&& x) {
    return map<ops::j1>(std::forward<E>(x));
}
/// The Bessel function of the second kind and order 0. -inf at 0, 0 at inf, NaN for negative numbers; errors are
/// below 9e-16 of the larger of |y0(x)| and 1 / sqrt(x). Derivative -y1(x). (scipy.special.y0,
/// torch.special.bessel_y0.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto y0(E&& x) {
    return map<ops::y0>(std::forward<E>(x));
}
/// That of order 1. -inf at 0, 0 at inf, NaN for negative numbers; errors as those of y0. Derivative y0(x) - y1(x) / x.
/// (scipy.special.y1, torch.special.bessel_y1.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto y1(E&& x) {
    return map<ops::y1>(std::forward<E>(x));
}
}  // namespace ricci
