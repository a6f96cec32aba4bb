// The smaller of two.
#pragma once
#include "where.hpp"

namespace ricci {
namespace ops {
struct minimum : of_reals<arithmetic> {
    static constexpr bool selects = true;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::minimum(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        const auto half = ricci::where(a == b, y_bar / 2, 0);
        return adjoints(ricci::where(a < b, y_bar, half), ricci::where(b < a, y_bar, half));
    }
};
}  // namespace ops

/// The smaller of a and b element by element, broadcast; NaN where either is NaN. Where they are equal each gets half
/// of the derivative (PyTorch's choice).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto minimum(A&& a, B&& b) {
    return map<ops::minimum>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
