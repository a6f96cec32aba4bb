// Which elements are finite.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct isfinite : comparison {
    static constexpr int cost = 2;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const auto nan = math::isnan(x), infinite = math::isinf(x);
        return !(nan | infinite);
    }
};
}  // namespace ops

/// Whether each element is neither NaN nor infinite; always for integers; of complex elements both parts.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto isfinite(E&& x) {
    return map<ops::isfinite>(std::forward<E>(x));
}
}  // namespace ricci
