// The bits that both have.
#pragma once
#include "integers.hpp"

namespace ricci {
namespace ops {
struct bitwise_and : integers {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return static_cast<M>(a & b);
    }
};
}  // namespace ops

/// The bits that a and b both have, broadcast, in the common type of integers; of truth values `and`.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto bitwise_and(A&& a, B&& b) {
    return map<ops::bitwise_and>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator&(A&& a, B&& b) {
    return map<ops::bitwise_and>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
