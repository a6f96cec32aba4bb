// The modified Bessel functions of the first kind of the orders 0 and 1.
#pragma once
#include "../../cpu/math/bessel.hpp"
#include "../declarations.hpp"
#include "abs.hpp"
#include "where.hpp"

namespace ricci {

template <operand E>
RICCI_HD RICCI_INLINE constexpr auto i0(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto i1(E&& x);

namespace ops {
struct i0 : floating {
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
struct i1 : floating {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::i1(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        const auto q = x * x;
        // the quotient has no derivative at 0: the series of the whole there
        const auto series =
            0.5 + q * (3. / 16 +
                       q * (5. / 384 +
                            q * (7. / 18432 + q * (9. / 1474560 + q * (11. / 176947200 + q * (13. / 29727129600.))))));
        const auto quotient = ricci::i0(x) - y / ricci::where(x == 0, 1, x);
        return y_bar * ricci::where(ricci::abs(x) < 0.25, series, quotient);
    }
};
}  // namespace ops

/// The modified Bessel function of the first kind and order 0 of each element; integers promoted to double. 1 at 0, inf at +-inf.
/// At most 4 ulp. Derivative i1(x). (numpy.i0, torch.special.i0.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto i0(E&& x) {
    return map<ops::i0>(std::forward<E>(x));
}
/// That of order 1: +-0 at +-0, +-inf at +-inf. At most 4 ulp. Derivative i0(x) - i1(x) / x, 1/2 at 0. (torch.special.i1.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto i1(E&& x) {
    return map<ops::i1>(std::forward<E>(x));
}
}  // namespace ricci
