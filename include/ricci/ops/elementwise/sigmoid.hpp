// The logistic function.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct sigmoid : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const auto e = math::exp(-math::abs(x)), d = S(1) + e, lost = (S(1) - d) + e;  // by rounding d
        const auto negative = x < S(0);
        const auto y = math::select(negative, e, S(1)) / d;
        return y - y * (lost * math::select(negative, S(1) - y, y));  // the last is 1 / d
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (y * (1 - y));
    }
};
}  // namespace ops

/// 1 / (1 + exp(-x)) of each element; integers promoted to double. 0 at -inf, 1 at inf; small results keep their
/// precision. At most 2 ulp. Derivative y (1 - y).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sigmoid(E&& x) {
    return map<ops::sigmoid>(std::forward<E>(x));
}
}  // namespace ricci
