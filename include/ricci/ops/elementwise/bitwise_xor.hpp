// The bits that one has.
#pragma once
#include "integers.hpp"

namespace ricci {
namespace ops {
struct bitwise_xor : integers {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return static_cast<M>(a ^ b);
    }
};
}  // namespace ops

/// The bits that exactly one of a and b has, broadcast, in the common type of integers; of truth values `xor`.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto bitwise_xor(A&& a, B&& b) {
    return map<ops::bitwise_xor>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator^(A&& a, B&& b) {
    return map<ops::bitwise_xor>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
