// Which elements are infinite.
#pragma once
#include <limits>

#include "comparison.hpp"

namespace ricci {
namespace ops {
struct isinf : comparison {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::isinf(x);
    }
};
}  // namespace ops

/// Whether each element is inf or -inf; never for integers; of complex elements, whether a part is.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto isinf(E&& x) {
    return map<ops::isinf>(std::forward<E>(x));
}
/// Whether each element is inf. (numpy.isposinf.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto isposinf(E&& x) {
    return map<ops::equal>(std::forward<E>(x), std::numeric_limits<double>::infinity());
}
/// Whether each element is -inf. (numpy.isneginf.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto isneginf(E&& x) {
    return map<ops::equal>(std::forward<E>(x), -std::numeric_limits<double>::infinity());
}
}  // namespace ricci
