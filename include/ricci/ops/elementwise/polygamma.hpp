// The derivatives of digamma.
#pragma once
#include <limits>

#include "../declarations.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace ops {
struct polygamma : of_reals<floating> {
    static constexpr int cost = 150;
    int order = 1;
    template <class S>
    RICCI_HD RICCI_INLINE constexpr auto value(const S& x) const {
        return math::polygamma(order, x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const S& x, const R&) const {
        return y_bar * ricci::polygamma(order < std::numeric_limits<int>::max() ? order + 1 : order, x);
    }
};
}  // namespace ops

/// The n-th derivative of digamma at each element; integers promoted to double. n = 0 is digamma itself; for n < 0, and
/// for n > 32 at negative x, NaN; for n > 170, whose factorial overflows, infinite, or NaN where all terms vanish. At
/// most 2 ulp for x > 0 and n up to 32; others element by element in higher precision where the machine has it.
/// Derivative polygamma(n + 1, x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto polygamma(int n, E&& x) {
    ops::polygamma op;
    op.order = n;
    if constexpr (expression<E>) return detail::make_map(op, std::forward<E>(x));
    else return detail::evaluate_op(op, x);
}
}  // namespace ricci
RICCI_BOTH_SIDES_END
