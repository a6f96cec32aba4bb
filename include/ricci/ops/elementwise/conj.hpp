// The complex conjugate.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct conj : arithmetic {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) return S(x.real(), -x.imag());
        else return x;
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        return ricci::conj(y_bar);
    }
};
}  // namespace ops

/// The complex conjugate of each element, in its own type; real elements as they are.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto conj(E&& x) {
    return map<ops::conj>(std::forward<E>(x));
}
}  // namespace ricci
