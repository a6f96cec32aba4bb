// The length of a vector.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct hypot : of_reals<floating> {
    static constexpr int cost = 12;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::hypot(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R& y) {
        return adjoints(y_bar * (a / y), y_bar * (b / y));
    }
};
}  // namespace ops

/// sqrt(a^2 + b^2), broadcast, without overflow or underflow; integers promoted to double. inf if either is infinite,
/// even beside NaN. At most 2 ulp. Derivatives a / y and b / y, NaN at the origin.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto hypot(A&& a, B&& b) {
    return map<ops::hypot>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
