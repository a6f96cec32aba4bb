// The exponential linear unit whose slope is continuous.
#pragma once
#include "divide.hpp"
#include "elu.hpp"
#include "multiply.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// elu with exp(x / alpha) in the place of exp(x), whose slope is continuous: max(x, 0) + min(0, alpha (exp(x / alpha) - 1)).
/// (torch.nn.functional.celu; Barron 2017.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto celu(const E& x, double alpha = 1) {
    return elu(x / alpha, 1.0) * alpha;
}
}  // namespace ricci
RICCI_BOTH_SIDES_END
