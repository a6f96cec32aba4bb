// Classical orthogonal polynomials: Legendre's, Chebyshev's of all kinds, Gegenbauer's, Jacobi's, Laguerre's,
// Hermite's.
#pragma once
#include <limits>

#include "../../cpu/math/orthogonal_polynomials.hpp"
#include "../declarations.hpp"

namespace ricci {
namespace ops {

/// A Jacobi polynomial; its derivative is one of higher parameters and lower degree.
struct jacobi : of_reals<floating> {
    static constexpr int cost = 200;
    detail::jacobi_polynomial polynomial{};
    template <class S>
    RICCI_HD RICCI_INLINE constexpr auto value(const S& x) const {
        return math::jacobi(polynomial, x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const S& x, const R&) const {
        const auto& [n, a, b, at_one] = polynomial;
        jacobi slope;
        slope.polynomial = {n - 1, a + 1, b + 1, n > 0 ? at_one * n * (n + a + b + 1) / (2 * (a + 1)) : 0.0};
        return y_bar * detail::evaluate_op(slope, x);
    }
};
struct laguerre : of_reals<floating> {
    static constexpr int cost = 100;
    detail::laguerre_polynomial polynomial{};
    template <class S>
    RICCI_HD RICCI_INLINE constexpr auto value(const S& x) const {
        return math::laguerre(polynomial, x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const S& x, const R&) const {
        const auto& [n, a, scale] = polynomial;
        laguerre slope;
        slope.polynomial = {n - 1, a + 1, -scale};
        return y_bar * detail::evaluate_op(slope, x);
    }
};
struct hermite : of_reals<floating> {
    static constexpr int cost = 80;
    detail::hermite_polynomial polynomial{};
    template <class S>
    RICCI_HD RICCI_INLINE constexpr auto value(const S& x) const {
        return math::hermite(polynomial, x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const S& x, const R&) const {
        const auto& [n, step, scale] = polynomial;
        hermite slope;
        slope.polynomial = {n - 1, step, n > 0 ? step * n * scale : 0.0};
        return y_bar * detail::evaluate_op(slope, x);
    }
};

}  // namespace ops
namespace detail {

/// One of those ops, of arrays and numbers alike.
template <class Op, class P, class E>
auto polynomial_at(const P& polynomial, E&& x, const char* who) {
    if (polynomial.degree < 0) raise<value_error>({"[", who, "] the degree must not be negative: ", polynomial.degree});
    Op op;
    op.polynomial = polynomial;
    if constexpr (expression<E>) return make_map(op, std::forward<E>(x));
    else return evaluate_op(op, x);
}
inline void check_polynomial_parameter(double parameter, double least, const char* who) {
    if (!(parameter > least && parameter <= std::numeric_limits<double>::max()))
        raise<value_error>({"[", who, "] a parameter must be above ", least, ": ", parameter});
}

}  // namespace detail

/// The Legendre polynomial of degree n at each element; integers promoted to double. By recurrences that are accurate
/// to the ends of [-1, 1] and beyond: errors of a few n eps of the largest value in [-1, 1], relative ones above 1.
/// Derivatives of all orders are exact. Throws value_error for a negative degree. (torch.special, whose order of
/// arguments this is, scipy.special.eval_legendre.)
template <operand E>
auto legendre_polynomial_p(E&& x, int n) {
    return detail::polynomial_at<ops::jacobi>(detail::jacobi_polynomial{n, 0, 0, 1}, std::forward<E>(x),
                                              "legendre_polynomial_p");
}
/// The Chebyshev polynomial of the first kind, cos(n acos(x)); the rest as of legendre_polynomial_p. Shifted ones are
/// those of 2 x - 1.
template <operand E>
auto chebyshev_polynomial_t(E&& x, int n) {
    return detail::polynomial_at<ops::jacobi>(detail::jacobi_polynomial{n, -0.5, -0.5, 1}, std::forward<E>(x),
                                              "chebyshev_polynomial_t");
}
/// Of the second kind: sin((n + 1) t) / sin(t), x = cos(t).
template <operand E>
auto chebyshev_polynomial_u(E&& x, int n) {
    return detail::polynomial_at<ops::jacobi>(detail::jacobi_polynomial{n, 0.5, 0.5, n + 1.0}, std::forward<E>(x),
                                              "chebyshev_polynomial_u");
}
/// Of the third kind: cos((n + 1/2) t) / cos(t / 2), x = cos(t).
template <operand E>
auto chebyshev_polynomial_v(E&& x, int n) {
    return detail::polynomial_at<ops::jacobi>(detail::jacobi_polynomial{n, -0.5, 0.5, 1}, std::forward<E>(x),
                                              "chebyshev_polynomial_v");
}
/// Of the fourth kind: sin((n + 1/2) t) / sin(t / 2), x = cos(t).
template <operand E>
auto chebyshev_polynomial_w(E&& x, int n) {
    return detail::polynomial_at<ops::jacobi>(detail::jacobi_polynomial{n, 0.5, -0.5, 2.0 * n + 1}, std::forward<E>(x),
                                              "chebyshev_polynomial_w");
}
/// Gegenbauer's (ultraspherical) polynomial of degree n, for a parameter above -1/2; the rest as of
/// legendre_polynomial_p. Throws value_error for other parameters, too. (scipy.special.eval_gegenbauer.)
template <operand E>
auto gegenbauer_polynomial_c(E&& x, int n, double order) {
    detail::check_polynomial_parameter(order, -0.5, "gegenbauer_polynomial_c");
    const double at_one = detail::product_of_ratios(n, 2 * order - 1, 0);
    return detail::polynomial_at<ops::jacobi>(detail::jacobi_polynomial{n, order - 0.5, order - 0.5, at_one},
                                              std::forward<E>(x), "gegenbauer_polynomial_c");
}
/// The Jacobi polynomial of degree n, for parameters above -1; the rest as of legendre_polynomial_p. Throws value_error
/// for other parameters, too. (scipy.special.eval_jacobi.)
template <operand E>
auto jacobi_polynomial_p(E&& x, int n, double alpha, double beta) {
    detail::check_polynomial_parameter(alpha, -1, "jacobi_polynomial_p");
    detail::check_polynomial_parameter(beta, -1, "jacobi_polynomial_p");
    const double at_one = detail::product_of_ratios(n, alpha, 0);
    return detail::polynomial_at<ops::jacobi>(detail::jacobi_polynomial{n, alpha, beta, at_one}, std::forward<E>(x),
                                              "jacobi_polynomial_p");
}
/// The Laguerre polynomial of degree n at each element, or for a parameter above -1 the generalised one; integers
/// promoted to double. By recurrence: errors of a few n eps of the largest value up to x, in x >= 0, relative ones
/// below 0. Derivatives of all orders are exact. Throws value_error for a negative degree, and other parameters.
/// (torch.special, whose order of arguments this is, scipy.special.eval_laguerre, eval_genlaguerre.)
template <operand E>
auto laguerre_polynomial_l(E&& x, int n, double alpha = 0) {
    detail::check_polynomial_parameter(alpha, -1, "laguerre_polynomial_l");
    return detail::polynomial_at<ops::laguerre>(detail::laguerre_polynomial{n, alpha, 1}, std::forward<E>(x),
                                                "laguerre_polynomial_l");
}
/// The physicists' Hermite polynomial of degree n, whose weight is exp(-x^2), at each element; integers promoted to
/// double. By recurrence: errors of a few n eps of the largest value up to |x|. Derivatives of all orders are exact.
/// Throws value_error for a negative degree. (torch.special, whose order of arguments this is,
/// scipy.special.eval_hermite.)
template <operand E>
auto hermite_polynomial_h(E&& x, int n) {
    return detail::polynomial_at<ops::hermite>(detail::hermite_polynomial{n, 2, 1}, std::forward<E>(x),
                                               "hermite_polynomial_h");
}
/// The probabilists' Hermite polynomial, whose weight is exp(-x^2 / 2); the rest as of hermite_polynomial_h.
/// (scipy.special.eval_hermitenorm.)
template <operand E>
auto hermite_polynomial_he(E&& x, int n) {
    return detail::polynomial_at<ops::hermite>(detail::hermite_polynomial{n, 1, 1}, std::forward<E>(x),
                                               "hermite_polynomial_he");
}

}  // namespace ricci
