// Which elements are NaN.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct isnan : comparison {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::isnan(x);
    }
};
}  // namespace ops

/// Whether each element is NaN; never for integers; of complex elements, whether a part is.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto isnan(E&& x) {
    return map<ops::isnan>(std::forward<E>(x));
}
}  // namespace ricci
