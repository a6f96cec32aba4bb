// The complementary error function.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct erfc : of_reals<floating> {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::erfc(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * (-1.1283791670955126 * ricci::exp(-(x * x)));
    }
};
}  // namespace ops

/// 1 - erf(x) of each element, accurate also where it is small; integers promoted to double. erfc(-inf) = 2, erfc(inf)
/// = 0. At most 2 ulp. Derivative -2 / sqrt(pi) exp(-x^2).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto erfc(E&& x) {
    return map<ops::erfc>(std::forward<E>(x));
}
}  // namespace ricci
