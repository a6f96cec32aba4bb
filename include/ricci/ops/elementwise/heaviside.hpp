// The step function.
#pragma once
#include "../declarations.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct heaviside : of_reals<arithmetic> {
    static constexpr bool selects = true;
    static constexpr int cost = 3;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& x, const B& at_zero) {
        const auto step = math::select(x == A(0), at_zero, math::select(x > A(0), A(1), A(0)));
        return math::select(math::isnan(x), x, step);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& x, const B&, const R&) {
        return adjoints(Y(0), ricci::where(x == 0, y_bar, 0));
    }
};
}  // namespace ops

/// 0 for x < 0, `at_zero` for x = 0, 1 for x > 0, NaN for NaN, broadcast, in the common type. Derivative 0 by x, 1 by
/// `at_zero` where it is taken.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto heaviside(A&& x, B&& at_zero) {
    return map<ops::heaviside>(std::forward<A>(x), std::forward<B>(at_zero));
}
}  // namespace ricci
