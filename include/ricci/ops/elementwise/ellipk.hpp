// The complete elliptic integrals.
#pragma once
#include "../../cpu/math/elliptic.hpp"
#include "../declarations.hpp"
#include "abs.hpp"
#include "power_series.hpp"
#include "where.hpp"

namespace ricci {

template <operand E>
RICCI_HD RICCI_INLINE constexpr auto ellipk(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto ellipkm1(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto ellipe(E&& x);

namespace detail {

/// The derivative of K given both integrals, for p = 1 - m. (E - p K) / (2 m p), by its series near 0, where it
/// cancels.
template <class S, class K, class L>
RICCI_HD RICCI_INLINE constexpr auto ellipk_slope(const S& m, const S& p, const K& k, const L& e) {
    const auto near = ricci::abs(m) < 0.0625;
    const auto quotient = (e - p * ricci::where(p == 0, 0, k)) / (2 * p * ricci::where(m == 0, 1, m));
    return ricci::where(near,
                        power_series(m, 0.39269908169872414, 0.44178646691106466, 0.46019423636569234,
                                     0.4697816162899776, 0.47565388649360235, 0.479617668881049, 0.48247253595772194,
                                     0.4846264312075332, 0.48630916187144824, 0.4876600206544245, 0.48876833888318455,
                                     0.4896940364947057, 0.49047880257883186, 0.4911525371977588),
                        quotient);
}

/// The derivative of E given both integrals. (E - K) / (2 m), by its series near 0, where it cancels.
template <class S, class K, class L>
RICCI_HD RICCI_INLINE constexpr auto ellipe_slope(const S& m, const K& k, const L& e) {
    return ricci::where(
        ricci::abs(m) < 0.0625,
        power_series(m, -0.39269908169872414, -0.14726215563702155, -0.09203884727313848, -0.06711165946999681,
                     -0.05285043183262248, -0.04360160626191355, -0.03711327199674784, -0.03230842874716888,
                     -0.02860642128655578, -0.025666316876548658, -0.02327468280396117, -0.021291045064987205,
                     -0.019619152103153275, -0.018190834711028104),
        (e - k) / (2 * ricci::where(m == 0, 1, m)));
}

}  // namespace detail
namespace ops {
struct ellipk : of_reals<floating> {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::ellipk(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        return y_bar * detail::ellipk_slope(x, 1 - x, y, ricci::ellipe(x));
    }
};
/// E of 1 - p, whose derivative is infinite at p = 0: by the K of p, since that of the rounded 1 - p is too where p is
/// small.
struct ellipem1 : of_reals<floating> {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::ellipe(S(1) - x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        return -y_bar * detail::ellipe_slope(1 - x, ricci::ellipkm1(x), y);
    }
};
struct ellipkm1 : of_reals<floating> {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::ellipkm1(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        return -y_bar * detail::ellipk_slope(1 - x, x, y, map<ops::ellipem1>(x));
    }
};
struct ellipe : of_reals<floating> {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::ellipe(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        return y_bar * detail::ellipe_slope(x, ricci::ellipk(x), y);
    }
};
}  // namespace ops

/// The complete elliptic integral of the first kind of each element, the parameter m = k^2: the integral of
/// 1 / sqrt(1 - m sin(t)^2) from 0 to pi / 2; integers promoted to double. inf at 1, 0 at -inf, NaN above 1. At most 3
/// ulp, measured by mpmath. Derivative (E - (1 - m) K) / (2 m (1 - m)). (scipy.special.ellipk.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto ellipk(E&& x) {
    return map<ops::ellipk>(std::forward<E>(x));
}
/// ellipk(1 - p) of each p, exact near 0, too: inf at 0, 0 at inf, NaN for negative numbers. At most 3 ulp.
/// (scipy.special.ellipkm1.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto ellipkm1(E&& x) {
    return map<ops::ellipkm1>(std::forward<E>(x));
}
/// The complete elliptic integral of the second kind of each element, the parameter m = k^2: the integral of
/// sqrt(1 - m sin(t)^2) from 0 to pi / 2; integers promoted to double. 1 at 1, inf at -inf, NaN above 1. At most 3 ulp,
/// measured by mpmath. Derivative (E - K) / (2 m), -inf at 1. (scipy.special.ellipe.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto ellipe(E&& x) {
    return map<ops::ellipe>(std::forward<E>(x));
}
}  // namespace ricci
