// The rectifier.
#pragma once
#include "where.hpp"

namespace ricci {
namespace ops {
struct relu : of_reals<arithmetic> {
    static constexpr bool selects = true;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::maximum(x, S(0));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return ricci::where(x > 0, y_bar, 0);
    }
};
}  // namespace ops

/// The larger of x and 0, element by element, in its own type; NaN stays NaN. Derivative 1 for x > 0, else 0 (PyTorch's
/// choice).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto relu(E&& x) {
    return map<ops::relu>(std::forward<E>(x));
}
}  // namespace ricci
