// The error function.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct erf : of_reals<floating> {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::erf(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * (1.1283791670955126 * ricci::exp(-(x * x)));
    }
};
}  // namespace ops

/// The error function of each element, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x; integers promoted to
/// double. erf(+-0) = +-0, erf(+-inf) = +-1. At most 2 ulp. Derivative 2 / sqrt(pi) exp(-x^2).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto erf(E&& x) {
    return map<ops::erf>(std::forward<E>(x));
}
}  // namespace ricci
