// The square root.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct sqrt : floating {
    static constexpr int cost = 4;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::sqrt(x);
    }
    /// y y = x, coefficient by coefficient.
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        T y(detail::evaluate_op(sqrt{}, x[0]));
        const auto twice = y[0] + y[0];
        for (int k = 1; k <= T::order; ++k) {
            auto rest = x[k];
            for (int j = 1; j < k; ++j) rest = rest - y[j] * y[k - j];
            y[k] = rest / twice;
        }
        return y;
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar / (2 * y);
    }
};
}  // namespace ops

/// Square root of each element; integers promoted to double. sqrt(x < 0) = NaN. Derivative 1 / (2 sqrt(x)), inf at 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sqrt(E&& x) {
    return map<ops::sqrt>(std::forward<E>(x));
}
}  // namespace ricci
