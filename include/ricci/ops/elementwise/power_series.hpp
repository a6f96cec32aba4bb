// Power series that derivative rules use where their formula is 0 / 0.
#pragma once
#include "../declarations.hpp"

namespace ricci::detail {

/// c0 + c1 x + c2 x^2 + ... of scalars of any kind or arrays.
template <class S>
RICCI_HD RICCI_INLINE constexpr auto power_series(const S&, double c) {
    return c;
}
template <class S, class... C>
RICCI_HD RICCI_INLINE constexpr auto power_series(const S& x, double c, C... higher) {
    return c + x * power_series(x, higher...);
}

}  // namespace ricci::detail
