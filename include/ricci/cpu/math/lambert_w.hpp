// Lambert's W, the inverse of w exp(w), of numbers and registers alike, in doubles.
#pragma once
#include "wide_kernel.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// The branch from -1 up, or that from -1 down. Near -1/e by the series in p = sqrt(2 (e x + 1)) (Corless et al. 1996),
/// elsewhere by Fritsch's iteration of fourth order on log(x / w) = w (Fritsch, Shafer & Crowley 1973).
struct lambert_w_kernel {
    bool lower;
    template <class S>
    RICCI_HD RICCI_INLINE S operator()(const S& x) const {
        const S zero(0), one(1), infinity(std::numeric_limits<double>::infinity()),
            nan(std::numeric_limits<double>::quiet_NaN());
        // e in two words; a number that -1/e may have been rounded to is taken for it
        const S above = rounded_once(x, S(2.718281828459045), one) + S(1.4456468917292502e-16) * x;
        const auto outside = above < S(-4e-16);
        const S p = math::sqrt(S(2) * math::maximum(above, zero));
        const auto near = p < S(0.3);
        const S y = any_lane(outside | !near) ? math::select(near, series(lower ? -p : p), iterated(x, p))
                                              : series(lower ? -p : p);
        if (lower) {
            const S end = math::select(x == zero, -infinity, nan);
            return math::select(outside | !(x < zero), end, y);
        }
        const S tiny = math::fma(-x, x, x);  // where w / x may be no number
        const S ends = math::select(math::abs(x) < S(1e-8), math::select(x == zero, x, tiny), y);
        return math::select(x == infinity, infinity, math::select(outside | !(x == x), nan, ends));
    }

   private:
    template <class S>
    RICCI_HD RICCI_INLINE static S series(const S& p) {
        return horner<double>(p, -1.0, 1.0, -0.3333333333333333, 0.1527777777777778, -0.07962962962962963,
                              0.044502314814814814, -0.02598471487360376, 0.01563563253233392, -0.009616892024299432,
                              0.006014543252956118, -0.0038112980348919993, 0.0024408779911439826,
                              -0.0015769303446867841, 0.0010262633205076071, -0.0006720616311561362,
                              0.0004424730618146209, -0.00029267722472962746, 0.00019438727605453933,
                              -0.00012957426685274883, 8.665035805208128e-05, -5.811360750441382e-05,
                              3.907668486743905e-05, -2.63380647472311e-05);
    }
    template <class S>
    RICCI_HD RICCI_INLINE S iterated(const S& x, const S& p) const {
        const S one(1);
        S w = lower ? below(x, p) : from_above(x, p);
        for (int i = 0; i < 3; ++i) {
            const S log = math::select(math::abs(x) < S(1e-280), math::log(x * S(0x1p100) / w) - S(69.314718055994531),
                                       math::log(x / w));  // the quotient of the smallest numbers is none
            const S z = log - w, up = one + w, q = S(2) * up * math::fma(S(2.0 / 3), z, up);
            w = math::fma(w, z / up * ((q - z) / (q - S(2) * z)), w);
        }
        return w;
    }
    /// To some percent (Winitzki 2003).
    template <class S>
    RICCI_HD RICCI_INLINE static S from_above(const S& x, const S& p) {
        const S one(1), log = math::log1p(math::maximum(x, S(0)));
        const S positive = log * (one - math::log1p(log) / (S(2) + log));
        const S negative = S(2.718281828459045) * x / (one + one / (one / p + S(-0.12513004)));
        return math::select(x < S(0), negative, positive);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static S below(const S& x, const S& p) {
        const S log = math::log(-x), log_log = math::log(-log);
        const S far = log - log_log + log_log / log;
        const S close = horner<double>(p, -1.0, -1.0, -0.3333333333333333, -0.1527777777777778, -0.07962962962962963);
        return math::select(x < S(-0.1), close, far);
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_1_OF_ORDER(lambert_w, detail::lambert_w_kernel)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
