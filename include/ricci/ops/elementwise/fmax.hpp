// The larger of two, of a number and NaN the number.
#pragma once
#include "isnan.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct fmax : of_reals<arithmetic> {
    static constexpr bool selects = true;
    static constexpr int cost = 4;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::select(math::isnan(a), b, math::select(math::isnan(b), a, math::maximum(a, b)));
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        const auto half = ricci::where(a == b, y_bar / 2, 0);
        return adjoints(ricci::where(a > b || ricci::isnan(b), y_bar, half),
                        ricci::where(b > a || (ricci::isnan(a) && !ricci::isnan(b)), y_bar, half));
    }
};
}  // namespace ops

/// The larger of a and b element by element, broadcast; of a number and NaN the number. Where they are equal each gets
/// half of the derivative, as of maximum.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto fmax(A&& a, B&& b) {
    return map<ops::fmax>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
