// The exponential.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct exp : floating {
    static constexpr int cost = 12;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::exp(x);
    }
    /// y' = y x'
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::series_along(x, detail::evaluate_op(exp{}, x[0]), [](const T& y, int k) { return y[k]; });
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * y;
    }
};
}  // namespace ops

/// e to the power of each element; integers promoted to double. exp(-inf) = 0, exp(inf) = inf. Derivative exp(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto exp(E&& x) {
    return map<ops::exp>(std::forward<E>(x));
}
}  // namespace ricci
