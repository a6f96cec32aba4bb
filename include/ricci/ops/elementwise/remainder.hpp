// The remainder with the divisor's sign.
#pragma once
#include "../declarations.hpp"
#include "floor_divide.hpp"

namespace ricci {
namespace ops {
struct remainder : of_reals<arithmetic> {
    static constexpr int integer_divisor = 1;
    static constexpr int cost = 16;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        if constexpr (std::is_integral_v<A>) {
            return math::remainder(a, b);
        } else {
            const A r = math::fmod(a, b), zero(0);
            const A moved = math::select((r != zero) & ((r < zero) != (b < zero)), r + b, r);
            return math::select(moved == zero, math::copysign(zero, b), moved);
        }
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        return adjoints(y_bar, -y_bar * ricci::floor_divide(a, b));
    }
};
}  // namespace ops

/// a - b floor(a / b) with the sign of b, as Python's %, broadcast, in the common type. Exact where signs agree, else
/// rounded once. NaN for b = 0 or infinite a. Of integers 0 for b = 0. Derivatives 1 and -floor(a / b).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto remainder(A&& a, B&& b) {
    return map<ops::remainder>(std::forward<A>(a), std::forward<B>(b));
}
/// The same: Python's %, not C++'s, whose sign is that of a (fmod).
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator%(A&& a, B&& b) {
    return map<ops::remainder>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
