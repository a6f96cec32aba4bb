// Bits moved up.
#pragma once
#include "integers.hpp"

namespace ricci {
namespace ops {
struct bitwise_left_shift : integers {
    static constexpr bool takes_bits = false;  // counts are numbers
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return math::left_shift(a, b);
    }
};
}  // namespace ops

/// a times 2^b modulo 2^bits, broadcast, in the common type of integers; 0 for b below 0 or not below the number of
/// bits.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto bitwise_left_shift(A&& a, B&& b) {
    return map<ops::bitwise_left_shift>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator<<(A&& a, B&& b) {
    return map<ops::bitwise_left_shift>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
