// Linear interpolation.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct lerp : floating {
    static constexpr int cost = 5;
    /// From the nearer end, so that 0 gives a and 1 gives b.
    template <class A, class B, class W>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b, const W& weight) {
        if constexpr (is_complex_scalar_v<W>) return a + weight * (b - a);
        else return math::select(weight < 0.5, math::fma(weight, b - a, a), math::fma(weight - 1, b - a, b));
    }
    template <class Y, class A, class B, class W, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const W& weight,
                                                         const R&) {
        return adjoints(y_bar * (1 - weight), y_bar * weight, y_bar * (b - a));
    }
};
}  // namespace ops

/// a + weight (b - a), broadcast; integers promoted to double. Of finite real numbers a where the weight is 0, b
/// where it is 1 (as torch.lerp). Derivatives 1 - weight, weight and b - a.
template <operand A, operand B, operand W>
RICCI_HD RICCI_INLINE constexpr auto lerp(A&& a, B&& b, W&& weight) {
    return map<ops::lerp>(std::forward<A>(a), std::forward<B>(b), std::forward<W>(weight));
}
}  // namespace ricci
