// True division.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct divide : floating {
    static constexpr int cost = 4;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a / b;
    }
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto series(const A& a, const B& b) {
        return detail::series_quotient(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A&, const B& b, const R& y) {
        const auto a_bar = y_bar / b;
        return adjoints(a_bar, -(a_bar * y));
    }
};
}  // namespace ops

/// a / b element by element, broadcast; integers are divided as doubles. x / 0 = +-inf, 0 / 0 = NaN.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto divide(A&& a, B&& b) {
    return map<ops::divide>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator/(A&& a, B&& b) {
    return map<ops::divide>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
