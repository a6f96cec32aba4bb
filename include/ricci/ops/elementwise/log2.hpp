// The binary logarithm.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct log2 : floating {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::log2(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / (x * 0.69314718055994531);
    }
};
}  // namespace ops

/// Logarithm to base 2 of each element; integers promoted to double. log2(+-0) = -inf, log2(x < 0) = NaN; exact at
/// powers of 2. At most 1 ulp. Derivative 1 / (x log(2)).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto log2(E&& x) {
    return map<ops::log2>(std::forward<E>(x));
}
}  // namespace ricci
