// The logarithm of the logistic function.
#pragma once
#include "../declarations.hpp"
#include "sigmoid.hpp"

namespace ricci {
namespace ops {
struct log_sigmoid : of_reals<floating> {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::minimum(x, S(0)) - math::log1p(math::exp(-math::abs(x)));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::sigmoid(-x);
    }
};
}  // namespace ops

/// log(1 / (1 + exp(-x))) of each element, without underflow; integers promoted to double. -inf at -inf, 0 at inf. At
/// most 3 ulp. Derivative sigmoid(-x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto log_sigmoid(E&& x) {
    return map<ops::log_sigmoid>(std::forward<E>(x));
}
}  // namespace ricci
