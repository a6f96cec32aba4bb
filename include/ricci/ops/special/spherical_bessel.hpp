// The spherical Bessel functions.
#pragma once
#include "../../cpu/math/spherical_bessel.hpp"
#include "../declarations.hpp"

namespace ricci {
namespace ops {
/// Of the first kind, or the second, whose derivatives follow the same rule.
template <bool Second>
struct spherical_bessel : of_reals<floating> {
    static constexpr int cost = 300;
    int order = 0;
    template <class S>
    RICCI_HD RICCI_INLINE constexpr auto value(const S& x) const {
        if constexpr (Second) return math::spherical_yn(order, x);
        else return math::spherical_jn(order, x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const S& x, const R&) const {
        spherical_bessel lower, higher;
        lower.order = order > 0 ? order - 1 : 0;
        higher.order = order + 1;
        const double both = 2.0 * order + 1;
        return y_bar *
               (order / both * detail::evaluate_op(lower, x) - (order + 1) / both * detail::evaluate_op(higher, x));
    }
};
}  // namespace ops
namespace detail {

template <bool Second, class E>
auto spherical_bessel_of(int n, E&& x, const char* who) {
    constexpr int most = 1 << 24;  // so that orders above it, of derivatives, are none that overflow
    if (n < 0 || n > most) raise<value_error>({"[", who, "] the order must lie between 0 and ", most, ": ", n});
    ops::spherical_bessel<Second> op;
    op.order = n;
    if constexpr (expression<E>) return make_map(op, std::forward<E>(x));
    else return evaluate_op(op, x);
}

}  // namespace detail

/// The spherical Bessel function of the first kind, of integer order n, the first argument, at each element: sin(x) / x
/// of order 0; integers promoted to double. Even or odd as n is; 0 at +-inf. Errors of a few (1 + n / 10) eps, relative
/// up to x = n, of the largest values near x beyond. Derivatives of any order. Throws value_error for a negative order.
/// (scipy.special.spherical_jn; torch.special.spherical_bessel_j0 is that of order 0.)
template <operand E>
auto spherical_jn(int n, E&& x) {
    return detail::spherical_bessel_of<false>(n, std::forward<E>(x), "spherical_jn");
}
/// That of the second kind: -cos(x) / x of order 0. -inf at +0, and where numbers are too small for it; odd or even as
/// n + 1 is. The rest as of spherical_jn. (scipy.special.spherical_yn.)
template <operand E>
auto spherical_yn(int n, E&& x) {
    return detail::spherical_bessel_of<true>(n, std::forward<E>(x), "spherical_yn");
}
}  // namespace ricci
