// The imaginary part.
#pragma once
#include "negative.hpp"

namespace ricci {
namespace ops {
struct imag : arithmetic {
    static constexpr bool selects = true;
    template <class... K>
    using result = real_t<common_t<K...>>;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) return x.imag();
        else return S(0);
    }
    template <class D, class S, class R>
        requires(is_complex_scalar_v<S>)
    RICCI_HD RICCI_INLINE static constexpr auto pushforward(const D& x_dot, const S&, const R&) {
        return ricci::imag(x_dot);
    }
    /// Re(-i y_bar x_dot) = y_bar Im(x_dot)
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback([[maybe_unused]] const Y& y_bar, const S&, const R&) {
        if constexpr (is_complex_scalar_v<S>) return ricci::complex(0, -y_bar);
        else return Y(0);
    }
};
}  // namespace ops

/// The imaginary part of each element, of the real type; of real elements 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto imag(E&& x) {
    return map<ops::imag>(std::forward<E>(x));
}
}  // namespace ricci
