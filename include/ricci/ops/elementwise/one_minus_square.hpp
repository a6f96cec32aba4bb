// 1 - x^2 to the last digits, in the rules of the inverse functions whose derivative has it.
#pragma once
#include "../declarations.hpp"
#include "abs.hpp"
#include "where.hpp"

namespace ricci::detail {

/// The product (1 - x) (1 + x) is exact beside +-1, but its derivative near 0 a difference of factors that round to 1.
template <class S>
RICCI_HD RICCI_INLINE constexpr auto one_minus_square(const S& x) {
    if constexpr (is_complex_scalar_v<S>) return (1 - x) * (1 + x);
    else return ricci::where(ricci::abs(x) < 0.5, 1 - x * x, (1 - x) * (1 + x));
}

}  // namespace ricci::detail
