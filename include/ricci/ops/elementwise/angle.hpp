// The angle of a complex number.
#pragma once
#include "complex.hpp"
#include "imag.hpp"
#include "real.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct angle : floating {
    static constexpr bool selects = true;
    static constexpr int cost = 24;
    template <class... K>
    using result = real_t<inexact_t<common_t<K...>>>;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) return math::atan2(x.imag(), x.real());
        else
            return detail::select_lane(
                x != x, x, detail::select_lane(math::copysign(S(1), x) < S(0), S(3.14159265358979323846), S(0)));
    }
    /// The change of log(x) has the angle's as imaginary part. No quotient by 0, as in abs.
    template <class D, class S, class R>
        requires(is_complex_scalar_v<S>)
    RICCI_HD RICCI_INLINE static constexpr auto pushforward(const D& x_dot, const S& x, const R&) {
        return ricci::where(x == 0, 0, ricci::imag(x_dot / ricci::where(x == 0, 1, x)));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback([[maybe_unused]] const Y& y_bar, [[maybe_unused]] const S& x,
                                                         const R&) {
        if constexpr (is_complex_scalar_v<S>) {
            const auto z = y_bar / ricci::where(x == 0, 1, x);
            return ricci::where(x == 0, 0, ricci::complex(ricci::imag(z), -ricci::real(z)));  // -i z
        } else {
            return Y(0);
        }
    }
};
}  // namespace ops

/// The angle of each element in the complex plane, in radians from -pi to pi: atan2 of its imaginary part and its real
/// one. Real elements have 0 or, below zero, -0 included, pi; integers promoted to double. Derivative 0 at 0 (PyTorch's
/// choice).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto angle(E&& x) {
    return map<ops::angle>(std::forward<E>(x));
}
}  // namespace ricci
