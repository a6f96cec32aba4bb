// The power.
#pragma once
#include "log.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct pow : arithmetic {
    static constexpr int cost = 40;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::pow(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R& y) {
        const auto a_bar = y_bar * (b * ricci::pow(a, b - 1));
        const auto b_bar = y_bar * (y * ricci::log(a));
        return adjoints(ricci::where(b == 0, 0, a_bar), ricci::where(a == 0 && b >= 0, 0, b_bar));
    }
};
}  // namespace ops

/// a to the power of b, broadcast, in the common type. pow(x, 0) = 1 for every x; pow(x < 0, b) is NaN unless b is integral.
/// Derivatives b a^(b-1), 0 where b is 0, and a^b log(a), 0 where a is 0 and b is not negative.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto pow(A&& a, B&& b) {
    return map<ops::pow>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
