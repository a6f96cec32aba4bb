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

namespace detail {
/// An array or a number that has no bits to combine.
template <class A>
inline constexpr bool is_inexact = false;
template <class A>
    requires(expression<A> || scalar_value<A>)
inline constexpr bool is_inexact<A> = !std::is_integral_v<common_t<kind_t<A>>>;
}  // namespace detail

/// The bits that exactly one of a and b has, broadcast, in the common type of integers; of truth values `xor`.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto bitwise_xor(A&& a, B&& b) {
    return map<ops::bitwise_xor>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator^(A&& a, B&& b) {
    if constexpr (detail::is_inexact<A> || detail::is_inexact<B>) {
        static_assert(always_false<A>, "ricci: ^ is exclusive or in C++; powers are square(x) and pow(x, 3)");
        return a;
    } else {
        return map<ops::bitwise_xor>(std::forward<A>(a), std::forward<B>(b));
    }
}
}  // namespace ricci
