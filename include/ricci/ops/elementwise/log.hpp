// The natural logarithm.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct log : floating {
    static constexpr int cost = 16;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::log(x);
    }
    /// y' = x' / x
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::integral<T::order>(detail::evaluate_op(log{}, x[0]),
                                          detail::derivative_of(x) / detail::truncated(x));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / x;
    }
};
}  // namespace ops

/// Natural logarithm of each element; integers promoted to double. log(+-0) = -inf, log(x < 0) = NaN. Derivative 1/x.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto log(E&& x) {
    return map<ops::log>(std::forward<E>(x));
}
}  // namespace ricci
