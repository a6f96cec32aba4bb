// The sigmoid linear unit.
#pragma once
#include "../declarations.hpp"
#include "sigmoid.hpp"

namespace ricci {
namespace ops {
struct silu : of_reals<floating> {
    static constexpr int cost = 25;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const auto e = math::exp(-math::abs(x));
        return x * math::select(x < S(0), e, S(1)) / (S(1) + e);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        const auto both = detail::logistic_pair(x);
        return y_bar * (detail::get<0>(both) * (1 + x * detail::get<1>(both)));
    }
};
}  // namespace ops

/// x sigmoid(x) of each element (also called swish); integers promoted to double. NaN at -inf as 0 times infinity. At
/// most 3 ulp while exp(x) is not subnormal. Derivative s (1 + x (1 - s)), s = sigmoid(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto silu(E&& x) {
    return map<ops::silu>(std::forward<E>(x));
}
}  // namespace ricci
