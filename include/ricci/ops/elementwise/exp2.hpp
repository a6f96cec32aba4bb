// The power of two.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct exp2 : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::exp2(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (y * 0.69314718055994531);
    }
};
}  // namespace ops

/// 2 to the power of each element; integers promoted to double. exp2(-inf) = 0, exp2(inf) = inf; exact at integers. At
/// most 2 ulp. Derivative y log(2).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto exp2(E&& x) {
    return map<ops::exp2>(std::forward<E>(x));
}
}  // namespace ricci
