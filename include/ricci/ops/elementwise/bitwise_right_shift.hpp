// Bits moved down.
#pragma once
#include "integers.hpp"

namespace ricci {
namespace ops {
struct bitwise_right_shift : integers {
    static constexpr bool takes_bits = false;  // counts are numbers
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return math::right_shift(a, b);
    }
};
}  // namespace ops

/// floor(a / 2^b), broadcast, in the common type of integers; for b below 0 or not below the number of bits 0, or -1
/// for a < 0.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto bitwise_right_shift(A&& a, B&& b) {
    return map<ops::bitwise_right_shift>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator>>(A&& a, B&& b) {
    return map<ops::bitwise_right_shift>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
