// Spence's function.
#pragma once
#include "../../cpu/math/dilogarithm.hpp"
#include "../declarations.hpp"
#include "abs.hpp"
#include "log.hpp"
#include "power_series.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct spence : of_reals<floating> {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::spence(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        const auto away = x - 1;
        const auto near = ricci::abs(away) < 0.0625;
        const auto quotient = ricci::log(x) / ricci::where(near, -1, -away);
        const auto series = detail::power_series(away, -1. / 1, 1. / 2, -1. / 3, 1. / 4, -1. / 5, 1. / 6, -1. / 7,
                                                 1. / 8, -1. / 9, 1. / 10, -1. / 11, 1. / 12, -1. / 13, 1. / 14);
        return y_bar * ricci::where(near, series, quotient);
    }
};
}  // namespace ops

/// Spence's function of each element, the integral of log(t) / (1 - t) from 1 to x, which is the dilogarithm Li2(1 -
/// x); integers promoted to double. 0 at 1, pi^2 / 6 at 0, -inf at inf, NaN for negative numbers. At most 3 ulp,
/// measured by mpmath. Derivative log(x) / (1 - x), -1 at 1. (scipy.special.spence, jax.scipy.special.spence.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto spence(E&& x) {
    return map<ops::spence>(std::forward<E>(x));
}
}  // namespace ricci
