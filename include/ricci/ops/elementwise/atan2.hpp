// The angle of a point.
#pragma once
#include "../declarations.hpp"
#include "hypot.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct atan2 : of_reals<floating> {
    static constexpr int cost = 30;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& y, const B& x) {
        return math::atan2(y, x);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& y, const B& x, const R&) {
        const auto origin = x == 0 && y == 0;  // no direction: 0, as of angle, and as torch has it
        const auto r = ricci::hypot(ricci::where(origin, 1, x), y);  // its square may overflow; never 0, as in abs
        return adjoints(ricci::where(origin, 0, y_bar * (x / r / r)), ricci::where(origin, 0, y_bar * (-y / r / r)));
    }
};
}  // namespace ops

/// The angle of the point (x, y), from -pi to pi, broadcast; integers promoted to double. Zeros and infinities of
/// either sign as C99 has them: atan2(+-0, x) is +-0 for x > 0 or +0 and +-pi for x < 0 or -0, atan2(+-inf, inf) =
/// +-pi/4. At most 2 ulp. Derivatives x / (x^2 + y^2) and -y / (x^2 + y^2), 0 at
/// the origin.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto atan2(A&& y, B&& x) {
    return map<ops::atan2>(std::forward<A>(y), std::forward<B>(x));
}
}  // namespace ricci
