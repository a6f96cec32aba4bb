// The arc tangent.
#pragma once
#include "../declarations.hpp"
#include "abs.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct atan : floating {
    static constexpr int cost = 16;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::atan(x);
    }
    /// y' = x' / (1 + x^2)
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        const auto low = detail::truncated(x);
        return detail::integral<T::order>(detail::evaluate_op(atan{}, x[0]),
                                          detail::derivative_of(x) / (1 + low * low));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        if constexpr (is_complex_scalar_v<S>) {
            return y_bar / (1 + x * x);
        } else {  // by 1 / x where the square may overflow
            const auto beyond = ricci::abs(x) > 1;
            const auto w = 1 / ricci::where(beyond, x, 1);
            const auto in = ricci::where(beyond, w, x);
            return y_bar * (ricci::where(beyond, w * w, 1) / (1 + in * in));
        }
    }
};
}  // namespace ops

/// Arc tangent of each element, in radians from -pi/2 to pi/2; integers promoted to double. atan(+-0) = +-0,
/// atan(+-inf) = +-pi/2. At most 2 ulp. Derivative 1 / (1 + x^2).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto atan(E&& x) {
    return map<ops::atan>(std::forward<E>(x));
}
}  // namespace ricci
