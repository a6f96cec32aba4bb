// The sign.
#pragma once
#include "abs.hpp"

namespace ricci {
namespace ops {
struct sign : arithmetic {
    static constexpr bool selects = true;
    static constexpr int cost = 2;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) {
            const auto size = math::abs(x);
            using P = std::remove_const_t<decltype(size)>;
            const auto unit = math::select(size == P(0), S(0), x / size);
            // beside an infinite part a finite one is none; two have no direction
            const auto re = math::isinf(x.real()), im = math::isinf(x.imag());
            const S along_re(math::copysign(P(1), x.real()), P(0)), along_im(P(0), math::copysign(P(1), x.imag()));
            return math::select(re, math::select(im, unit, along_re), math::select(im, along_im, unit));
        } else {
            const auto low = math::select(x < S(0), static_cast<S>(-1), static_cast<S>(x - x));
            return math::select(x > S(0), S(1), low);
        }
    }
    /// The part of x_dot across x. No quotient by 0, as in abs.
    template <class D, class S, class R>
        requires(is_complex_scalar_v<S>)
    RICCI_HD RICCI_INLINE static constexpr auto pushforward(const D& x_dot, const S& x, const R& y) {
        const auto size = ricci::where(x == 0, 1, ricci::abs(x));
        return ricci::where(x == 0, 0, (x_dot - y * ricci::real(x_dot * ricci::conj(y))) / size);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback([[maybe_unused]] const Y& y_bar, [[maybe_unused]] const S& x,
                                                         [[maybe_unused]] const R& y) {
        if constexpr (is_complex_scalar_v<S>) {
            const auto size = ricci::where(x == 0, 1, ricci::abs(x));
            return ricci::where(x == 0, 0, (y_bar - ricci::conj(y) * ricci::real(y_bar * y)) / size);
        } else {
            return Y(0);
        }
    }
};
}  // namespace ops

/// 1 for positive elements, -1 for negative ones, 0 for zeros, NaN for NaN; in its own type. Derivative 0.
/// Of complex elements x / |x|, 0 for 0, that of an infinite part where the other one is none, NaN where both are
/// (NumPy); its derivative is the part across x, over |x| (torch.sgn).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sign(E&& x) {
    return map<ops::sign>(std::forward<E>(x));
}
}  // namespace ricci
