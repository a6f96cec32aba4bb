// Which elements are real.
#pragma once
#include "comparison.hpp"

namespace ricci {
namespace ops {
struct isreal : comparison {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) {
            return x.imag() == decltype(x.imag())(0);
        } else {
            const auto differs = x != x;
            return differs == differs;
        }
    }
};
}  // namespace ops

/// Whether the imaginary part is 0: true of real elements.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto isreal(E&& x) {
    return map<ops::isreal>(std::forward<E>(x));
}
}  // namespace ricci
