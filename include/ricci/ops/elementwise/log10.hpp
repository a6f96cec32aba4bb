// The decimal logarithm.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct log10 : floating {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::log10(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / (x * 2.3025850929940457);
    }
};
}  // namespace ops

/// Logarithm to base 10 of each element; integers promoted to double. log10(+-0) = -inf, log10(x < 0) = NaN. At most 1
/// ulp. Derivative 1 / (x log(10)).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto log10(E&& x) {
    return map<ops::log10>(std::forward<E>(x));
}
}  // namespace ricci
