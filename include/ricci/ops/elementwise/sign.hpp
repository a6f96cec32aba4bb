// The sign.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct sign : arithmetic {
    static constexpr int cost = 2;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const auto low = math::select(x < S(0), static_cast<S>(-1), static_cast<S>(x - x));
        return math::select(x > S(0), S(1), low);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const S&, const R&) {
        return Y(0);
    }
};
}  // namespace ops

/// 1 for positive elements, -1 for negative ones, 0 for zeros, NaN for NaN; in its own type. Derivative 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sign(E&& x) {
    return map<ops::sign>(std::forward<E>(x));
}
}  // namespace ricci
