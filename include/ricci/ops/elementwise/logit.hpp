// The inverse of the logistic function.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct logit : of_reals<floating> {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const auto near = math::abs(x - S(0.5)) < S(0.25);  // there the logarithm would cancel
        const auto twice = x + x - S(1);
        return math::select(near, S(2) * math::atanh(math::select(near, twice, S(0))), math::log(x / (S(1) - x)));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / (x * (1 - x));
    }
};
}  // namespace ops

/// log(x / (1 - x)) of each element; integers promoted to double. -inf at 0, inf at 1, NaN outside. At most 3 ulp.
/// Derivative 1 / (x (1 - x)).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto logit(E&& x) {
    return map<ops::logit>(std::forward<E>(x));
}
}  // namespace ricci
