// The bits that are not set.
#pragma once
#include "integers.hpp"

namespace ricci {
namespace ops {
struct bitwise_invert : integers {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a) {
        if constexpr (std::is_integral_v<M> && !std::is_same_v<M, bool>) return static_cast<M>(~a);
        else return !a;
    }
};
}  // namespace ops

/// All bits inverted, in its own integer type; of truth values `not`.
template <operand A>
RICCI_HD RICCI_INLINE constexpr auto bitwise_invert(A&& a) {
    return map<ops::bitwise_invert>(std::forward<A>(a));
}
template <class A>
    requires(operator_operands<A>)
RICCI_HD RICCI_INLINE constexpr auto operator~(A&& a) {
    return map<ops::bitwise_invert>(std::forward<A>(a));
}
}  // namespace ricci
