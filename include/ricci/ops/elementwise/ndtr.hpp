// The normal distribution function, its logarithm and its inverse.
#pragma once
#include "../../cpu/math/normal.hpp"
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct ndtr : of_reals<floating> {
    static constexpr int cost = 80;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::ndtr(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * (0.3989422804014327 * ricci::exp(-0.5 * (x * x)));
    }
};
struct log_ndtr : of_reals<floating> {
    static constexpr int cost = 160;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::log_ndtr(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        // far out the difference cancels: there by the asymptotic series of Mills' ratio, to 1e-16
        constexpr double far = -14;
        const auto beyond = x < far;
        const auto near = ricci::where(beyond, 0, x);
        const auto out = ricci::where(beyond, x, far);
        const auto w = 1 / out;
        const auto u = w * w;
        const auto tail = u * (2027025. + u * (-34459425. + u * (654729075. - u * 13749310575.)));
        const auto rest =
            u * (-1. + u * (3. + u * (-15. + u * (105. + u * (-945. + u * (10395. + u * (-135135. + tail)))))));
        const auto usual = 0.3989422804014327 * ricci::exp(-0.5 * (near * near) - ricci::where(beyond, 0, y));
        return y_bar * ricci::where(beyond, -out / (1 + rest), usual);
    }
};
struct ndtri : of_reals<floating> {
    static constexpr int cost = 100;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& p) {
        return math::ndtri(p);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (2.5066282746310002 * ricci::exp(0.5 * (y * y)));
    }
};
}  // namespace ops

/// The normal distribution function of each element, the share of standard normal numbers below it, accurate also where
/// it is small; integers promoted to double. 0 at -inf, 1 at inf. At most 3 ulp. Derivative exp(-x^2 / 2) / sqrt(2 pi).
/// (scipy.special.ndtr, torch.special.ndtr, scipy.stats.norm.cdf.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto ndtr(E&& x) {
    return map<ops::ndtr>(std::forward<E>(x));
}
/// log(ndtr(x)), also where that underflows or is 1 but for rounding. -inf at -inf, -0 at inf. At most 4 ulp.
/// Derivative exp(-x^2 / 2 - log_ndtr(x)) / sqrt(2 pi). (scipy.special.log_ndtr, torch.special.log_ndtr.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto log_ndtr(E&& x) {
    return map<ops::log_ndtr>(std::forward<E>(x));
}
/// The y with ndtr(y) = p, of each element. -inf at 0, inf at 1, NaN outside. At most 8 ulp. Derivative
/// sqrt(2 pi) exp(y^2 / 2). (scipy.special.ndtri, torch.special.ndtri, scipy.stats.norm.ppf; Wichura 1988.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto ndtri(E&& p) {
    return map<ops::ndtri>(std::forward<E>(p));
}
}  // namespace ricci
