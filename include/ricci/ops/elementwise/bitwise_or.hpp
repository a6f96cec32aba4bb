// The bits that either has.
#pragma once
#include "integers.hpp"

namespace ricci {
namespace ops {
struct bitwise_or : integers {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return static_cast<M>(a | b);
    }
};
}  // namespace ops

/// The bits that a or b has, broadcast, in the common type of integers; of truth values `or`.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto bitwise_or(A&& a, B&& b) {
    return map<ops::bitwise_or>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator|(A&& a, B&& b) {
    return map<ops::bitwise_or>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
