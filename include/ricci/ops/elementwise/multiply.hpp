// Multiplication.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct multiply : arithmetic {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::wrap<B>(a) * math::wrap<A>(b);
    }
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto series(const A& a, const B& b) {
        return detail::series_product(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        return adjoints(y_bar * b, y_bar * a);
    }
};
}  // namespace ops

/// a * b element by element, broadcast, in the common type; of two bool arrays, logical and.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto multiply(A&& a, B&& b) {
    return map<ops::multiply>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator*(A&& a, B&& b) {
    return map<ops::multiply>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
