// The inverse of the logistic function.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct logit : of_reals<floating> {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const auto beyond = S(0.5) < x;
        const auto p = math::select(beyond, S(1) - x, x), r = S(1) - p;
        // from 3/8 on p / r is 1 + (2 p - 1) / r, whose numerator is exact, and what rounding the sum loses is known;
        // so is what r lost, which counts for its part of r (a line does for 1 / r)
        const auto near = S(0.375) < p;
        const auto part = math::select(near, (p + p) - S(1), p) / r;
        const auto odds = math::select(near, S(1) + part, part);
        const auto of_r = ((S(1) - r) - p) * (S(1.6) * r - S(2.6));
        const auto lost = math::select(near, part - (odds - S(1)) + part * of_r, of_r);
        const auto y = math::log(odds) + lost / math::select(near, odds, S(1));
        return math::select(beyond, -y, y);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / (x * (1 - x));
    }
};
}  // namespace ops

/// log(x / (1 - x)) of each element; integers promoted to double. -inf at 0, inf at 1, NaN outside. At most 2.5 ulp.
/// Derivative 1 / (x (1 - x)).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto logit(E&& x) {
    return map<ops::logit>(std::forward<E>(x));
}
}  // namespace ricci
