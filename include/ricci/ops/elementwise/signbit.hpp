// Which elements have their sign bit set.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct signbit : of_reals<comparison> {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::signbit(x);
    }
};
}  // namespace ops

/// Whether the sign bit of each element is set: of negative numbers, -0 and NaNs of negative sign.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto signbit(E&& x) {
    return map<ops::signbit>(std::forward<E>(x));
}
}  // namespace ricci
