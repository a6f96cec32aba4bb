// What moves elements towards 0: softshrink, hardshrink, tanhshrink; and threshold.
#pragma once
#include "abs.hpp"
#include "clip.hpp"
#include "subtract.hpp"
#include "tanh.hpp"
#include "where.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// x less or more by lambda, 0 where |x| <= lambda: x - clip(x, -lambda, lambda). NaN at NaN.
/// (torch.nn.functional.softshrink.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto softshrink(const E& x, double lambda = 0.5) {
    return x - clip(x, -lambda, lambda);
}
/// x, 0 where |x| <= lambda. NaN at NaN. (torch.nn.functional.hardshrink.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto hardshrink(const E& x, double lambda = 0.5) {
    return where(ricci::abs(x) <= lambda, 0, x);
}
/// x - tanh(x). (torch.nn.functional.tanhshrink.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto tanhshrink(const E& x) {
    return x - ricci::tanh(x);
}
/// x where it is more than `above`, else `value`. NaN at NaN. (torch.nn.functional.threshold.)
template <operand E, operand T, operand V>
RICCI_HD RICCI_INLINE constexpr auto threshold(const E& x, const T& above, const V& value) {
    return where(x <= above, value, x);
}
}  // namespace ricci
RICCI_BOTH_SIDES_END
