// The neighbour of a number.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct nextafter : floating {
    static constexpr bool selects = true;
    static constexpr int cost = 8;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::nextafter(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const A&, const B&, const R&) {
        return adjoints(Y(0), Y(0));
    }
};
}  // namespace ops

/// The next number after a in the direction of b, b where they are equal, NaN if either is, broadcast; integers
/// promoted to double. Derivatives 0.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto nextafter(A&& a, B&& b) {
    return map<ops::nextafter>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
