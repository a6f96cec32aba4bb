// The square.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct square : arithmetic {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::wrap(x) * math::wrap(x);
    }
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::series_product(x, x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * (2 * x);
    }
};
}  // namespace ops

/// The square of each element, in its own type. Derivative 2x.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto square(E&& x) {
    return map<ops::square>(std::forward<E>(x));
}
}  // namespace ricci
