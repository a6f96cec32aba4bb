// The modified Bessel functions of the first kind of the orders 0 and 1.
#pragma once
#include "../../cpu/math/bessel.hpp"
#include "../declarations.hpp"
#include "abs.hpp"
#include "sign.hpp"
#include "where.hpp"

namespace ricci {

template <operand E>
RICCI_HD RICCI_INLINE constexpr auto i0(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto i1(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto i0e(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto i1e(E&& x);

namespace detail {

/// The derivative of i1 for |x| < 1/4, where i0(x) - i1(x) / x has no derivative at 0, in q = x^2.
template <class S>
RICCI_HD RICCI_INLINE constexpr auto i1_slope_series(const S& q) {
    return 0.5 +
           q * (3. / 16 + q * (5. / 384 + q * (7. / 18432 +
                                               q * (9. / 1474560 + q * (11. / 176947200 + q * (13. / 29727129600.))))));
}

}  // namespace detail
namespace ops {
struct i0 : of_reals<floating> {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::i0(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::i1(x);
    }
};
struct i1 : of_reals<floating> {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::i1(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        const auto quotient = ricci::i0(x) - y / ricci::where(x == 0, 1, x);
        return y_bar * ricci::where(ricci::abs(x) < 0.25, detail::i1_slope_series(x * x), quotient);
    }
};
struct i0e : of_reals<floating> {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::i0e(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        return y_bar * (ricci::i1e(x) - ricci::sign(x) * y);
    }
};
struct i1e : of_reals<floating> {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::i1e(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        const auto size = ricci::abs(x);
        const auto quotient = ricci::i0e(x) - y / ricci::where(x == 0, 1, x);
        const auto slope = ricci::where(size < 0.25, ricci::exp(-size) * detail::i1_slope_series(x * x), quotient);
        return y_bar * (slope - ricci::sign(x) * y);
    }
};
}  // namespace ops

/// The modified Bessel function of the first kind and order 0 of each element; integers promoted to double. 1 at 0, inf
/// at +-inf. At most 4 ulp. Derivative i1(x). (numpy.i0, torch.special.i0.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto i0(E&& x) {
    return map<ops::i0>(std::forward<E>(x));
}
/// That of order 1: +-0 at +-0, +-inf at +-inf. At most 4 ulp. Derivative i0(x) - i1(x) / x, 1/2 at 0.
/// (torch.special.i1.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto i1(E&& x) {
    return map<ops::i1>(std::forward<E>(x));
}

/// exp(-|x|) i0(x), which does not overflow: 0 at +-inf. At most 4 ulp. Derivative i1e(x) - sign(x) i0e(x), 0 at 0.
/// (torch.special.i0e, scipy.special.i0e.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto i0e(E&& x) {
    return map<ops::i0e>(std::forward<E>(x));
}
/// exp(-|x|) i1(x): +-0 at +-0 and at +-inf. At most 4 ulp. Derivative i0e(x) - i1e(x) (sign(x) + 1 / x), 1/2 at 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto i1e(E&& x) {
    return map<ops::i1e>(std::forward<E>(x));
}
}  // namespace ricci
