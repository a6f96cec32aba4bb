// A magnitude with another number's sign.
#pragma once
#include "../declarations.hpp"
#include "sign.hpp"

namespace ricci {
namespace ops {
struct copysign : of_reals<floating> {
    static constexpr bool selects = true;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::copysign(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B&, const R& y) {
        return adjoints(y_bar * (ricci::sign(a) * ricci::sign(y)), Y(0));
    }
};
}  // namespace ops

/// The magnitude of a with the sign of b, broadcast, that of zeros and NaNs included; integers promoted to double.
/// Derivative by a +-1, 0 where a is 0; by b 0.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto copysign(A&& a, B&& b) {
    return map<ops::copysign>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
