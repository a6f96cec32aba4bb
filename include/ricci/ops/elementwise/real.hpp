// The real part.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct real : arithmetic {
    template <class... K>
    using result = real_t<common_t<K...>>;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) return x.real();
        else return x;
    }
    template <class D, class S, class R>
        requires(is_complex_scalar_v<S>)
    RICCI_HD RICCI_INLINE static constexpr auto pushforward(const D& x_dot, const S&, const R&) {
        return ricci::real(x_dot);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        if constexpr (is_complex_scalar_v<S>) return ricci::complex(y_bar, 0);
        else return y_bar;
    }
};
}  // namespace ops

/// The real part of each element, of the real type; real elements as they are.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto real(E&& x) {
    return map<ops::real>(std::forward<E>(x));
}
}  // namespace ricci
