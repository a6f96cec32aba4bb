// The remainder with the dividend's sign.
#pragma once
#include "../declarations.hpp"
#include "round.hpp"

namespace ricci {
namespace ops {
struct fmod : of_reals<arithmetic> {
    static constexpr int cost = 12;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::fmod(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R& y) {
        return adjoints(y_bar, -y_bar * ricci::round((a - y) / b));  // a / b may have been rounded up to a whole number
    }
};
}  // namespace ops

/// a - b trunc(a / b), exact, with the sign of a, broadcast, in the common type. NaN for b = 0 or infinite a; a for
/// infinite b. Of integers 0 for b = 0. Derivatives 1 and -trunc(a / b).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto fmod(A&& a, B&& b) {
    return map<ops::fmod>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
