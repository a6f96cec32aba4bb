// The inverse of the error function.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct erfinv : of_reals<floating> {
    static constexpr int cost = 120;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::erfinv(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (0.88622692545275801 * ricci::exp(y * y));
    }
};
}  // namespace ops

/// The y with erf(y) = x, of each element; integers promoted to double. erfinv(+-0) = +-0, erfinv(+-1) = +-inf, NaN
/// beyond. At most 2 ulp. Derivative sqrt(pi) / 2 exp(y^2).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto erfinv(E&& x) {
    return map<ops::erfinv>(std::forward<E>(x));
}
}  // namespace ricci
