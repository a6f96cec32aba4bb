// Sigmoid and silu in straight pieces: hardsigmoid, hardswish.
#pragma once
#include "../declarations.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct hardsigmoid : of_reals<floating> {
    static constexpr int cost = 5;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::minimum(math::maximum(x + S(3), S(0)), S(6)) / S(6);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return ricci::where(-3 < x && x < 3, y_bar * (1. / 6), 0);
    }
};
struct hardswish : of_reals<floating> {
    static constexpr int cost = 6;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return x * math::minimum(math::maximum(x + S(3), S(0)), S(6)) / S(6);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::where(x <= -3, 0, ricci::where(x >= 3, 1, x * (1. / 3) + 0.5));
    }
};
}  // namespace ops

/// clip(x + 3, 0, 6) / 6 of each element; integers give double. Derivative 1/6 between -3 and 3, 0 elsewhere.
/// (torch.nn.functional.hardsigmoid.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto hardsigmoid(const E& x) {
    return map<ops::hardsigmoid>(x);
}
/// x hardsigmoid(x). Derivative x / 3 + 1/2 between -3 and 3, 0 from there on below, 1 above.
/// (torch.nn.functional.hardswish; Howard et al. 2019.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto hardswish(const E& x) {
    return map<ops::hardswish>(x);
}
}  // namespace ricci
