// The hyperbolic tangent.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct tanh : floating {
    static constexpr int cost = 16;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::tanh(x);
    }
    /// y' = (1 - y^2) x'
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::series_along(x, detail::evaluate_op(tanh{}, x[0]), [](const T& y, int k) {
            const auto square = detail::product_coefficient(y, y, k);
            return k == 0 ? 1 - square : -square;
        });
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (1 - y * y);
    }
};
}  // namespace ops

/// Hyperbolic tangent of each element; integers promoted to double. tanh(+-0) = +-0, tanh(+-inf) = +-1.
/// Derivative 1 - tanh(x)^2.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto tanh(E&& x) {
    return map<ops::tanh>(std::forward<E>(x));
}
}  // namespace ricci
