// Sigmoid and silu in straight pieces: hardsigmoid, hardswish.
#pragma once
#include "clip.hpp"
#include "divide.hpp"
#include "multiply.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// clip(x + 3, 0, 6) / 6 of each element; integers give double. At -3 and 3 the derivative is clip's.
/// (torch.nn.functional.hardsigmoid.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto hardsigmoid(const E& x) {
    return clip(x + 3, 0, 6) / 6;
}
/// x hardsigmoid(x). (torch.nn.functional.hardswish; Howard et al. 2019.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto hardswish(const E& x) {
    return x * clip(x + 3, 0, 6) / 6;
}
}  // namespace ricci
RICCI_BOTH_SIDES_END
