// The normalized cardinal sine.
#pragma once
#include "../declarations.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct sinc : floating {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const auto n = math::round(x), r = x - n, a = r * S(3.14159265358979323846L), half = n * S(0.5);
        const auto whole = math::select(x == S(0), S(1), S(0)), shape = math::sin(a) / a * (r / x);
        const auto y = math::select(r == S(0), whole, math::select(math::round(half) == half, shape, -shape));
        return math::select(math::isinf(x), S(0), y);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        return ricci::where(x == 0, 0, y_bar * ((ricci::cos(3.1415926535897932 * x) - y) / x));
    }
};
}  // namespace ops

/// sin(pi x) / (pi x) of each element, 1 at 0 and exactly 0 at other integers; integers promoted to double. 0 at +-inf.
/// At most 4 ulp. Derivative (cos(pi x) - y) / x, 0 at 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sinc(E&& x) {
    return map<ops::sinc>(std::forward<E>(x));
}
}  // namespace ricci
