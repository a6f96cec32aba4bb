// The softsign function.
#pragma once
#include "abs.hpp"
#include "add.hpp"
#include "divide.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// x / (1 + |x|) of each element; integers give double. +-0 at +-0, NaN at +-inf. Derivative 1 / (1 + |x|)^2.
/// (torch.nn.functional.softsign.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto softsign(const E& x) {
    return x / (1 + ricci::abs(x));
}
}  // namespace ricci
RICCI_BOTH_SIDES_END
