// Linear interpolation.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct lerp : floating {
    static constexpr int cost = 2;
    template <class A, class B, class W>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b, const W& weight) {
        return math::fma(weight, b - a, a);
    }
    template <class Y, class A, class B, class W, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const W& weight,
                                                         const R&) {
        return adjoints(y_bar * (1 - weight), y_bar * weight, y_bar * (b - a));
    }
};
}  // namespace ops

/// a + weight (b - a), broadcast; integers promoted to double. Derivatives 1 - weight, weight and b - a.
template <operand A, operand B, operand W>
RICCI_HD RICCI_INLINE constexpr auto lerp(A&& a, B&& b, W&& weight) {
    return map<ops::lerp>(std::forward<A>(a), std::forward<B>(b), std::forward<W>(weight));
}
}  // namespace ricci
