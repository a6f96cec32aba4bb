// The absolute value, and its square.
#pragma once
#include <stdlib.h>  // a number's abs(x) in a function of arrays and numbers is C++'s then, not C's of integers

#include "complex.hpp"
#include "conj.hpp"
#include "imag.hpp"
#include "real.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct abs : arithmetic {
    static constexpr bool selects = true;
    template <class... K>
    using result = real_t<common_t<K...>>;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::abs(x);
    }
    /// The part of x_dot along x. No quotient by 0, though it would not be selected: when the rule itself is
    /// differentiated op by op (create_graph), 0 times its slope would be NaN.
    template <class D, class S, class R>
        requires(is_complex_scalar_v<S>)
    RICCI_HD RICCI_INLINE static constexpr auto pushforward(const D& x_dot, const S& x, const R& y) {
        return ricci::where(y == 0, 0, ricci::real(x_dot * (ricci::conj(x) / ricci::where(y == 0, 1, y))));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        if constexpr (is_complex_scalar_v<S>)
            return ricci::where(y == 0, 0, y_bar * (ricci::conj(x) / ricci::where(y == 0, 1, y)));
        else return ricci::where(x > 0, y_bar, ricci::where(x < 0, -y_bar, 0));
    }
};

/// |x|^2, smooth at 0 too.
struct squared_abs : arithmetic {
    template <class... K>
    using result = real_t<common_t<K...>>;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) return x.real() * x.real() + x.imag() * x.imag();
        else return math::wrap(x) * math::wrap(x);
    }
    template <class D, class S, class R>
        requires(is_complex_scalar_v<S>)
    RICCI_HD RICCI_INLINE static constexpr auto pushforward(const D& x_dot, const S& x, const R&) {
        return ricci::real(x_dot * (2 * ricci::conj(x)));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * (2 * ricci::conj(x));
    }
};
}  // namespace ops

/// Absolute value of each element, in its own type; of complex elements the modulus, real. abs(-0) = 0.
/// Derivative the sign of x, of complex elements x / |x|; 0 at 0 (PyTorch's choice).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto abs(E&& x) {
    return map<ops::abs>(std::forward<E>(x));
}
}  // namespace ricci
