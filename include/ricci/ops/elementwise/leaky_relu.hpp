// The rectifier with a slope.
#pragma once
#include "../declarations.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct leaky_relu : of_reals<floating> {
    static constexpr int cost = 3;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& x, const B& slope) {
        return math::select(x > A(0), x, x * slope);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& x, const B& slope, const R&) {
        return adjoints(ricci::where(x > 0, y_bar, y_bar * slope), ricci::where(x > 0, 0, y_bar * x));
    }
};
}  // namespace ops

/// x for x > 0, else slope x, broadcast; integers promoted to double. The slope may be an array that is trained.
/// Derivative 1 for x > 0, else the slope (PyTorch's choice at 0).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto leaky_relu(A&& x, B&& slope) {
    return map<ops::leaky_relu>(std::forward<A>(x), std::forward<B>(slope));
}

/// With the slope 0.01.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto leaky_relu(E&& x) {
    return leaky_relu(std::forward<E>(x), 0.01);
}
}  // namespace ricci
