// Which elements are infinite.
#pragma once
#include "../declarations.hpp"

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
}  // namespace ricci
