// The integer quotient.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct floor_divide : of_reals<arithmetic> {
    static constexpr bool selects = true;
    static constexpr int integer_divisor = 1;
    static constexpr int cost = 24;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        if constexpr (std::is_integral_v<A>) {
            return math::floor_divide(a, b);
        } else {
            const A r = math::fmod(a, b), zero(0), one(1), plain = a / b, whole = (a - r) / b;
            const A quotient = math::select((r != zero) & ((r < zero) != (b < zero)), whole - one, whole);
            const A down = math::floor(quotient);  // (a - r) / b is rounded: the integer may lie above
            const A nearest = math::select(quotient - down > A(0.5), down + one, down);
            return math::select(b == zero, plain, math::select(quotient == zero, math::copysign(zero, plain), nearest));
        }
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const A&, const B&, const R&) {
        return adjoints(Y(0), Y(0));
    }
};
}  // namespace ops

/// floor(a / b) from the exact remainder, as Python's //, broadcast, in the common type. Floats over 0 as a / b has
/// them; of integers 0 for b = 0. Derivatives 0.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto floor_divide(A&& a, B&& b) {
    return map<ops::floor_divide>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
