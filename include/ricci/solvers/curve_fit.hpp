// Curves through noisy points: optimize::curve_fit.
#pragma once
#include "least_squares.hpp"

namespace ricci::optimize {

/// The parameters of a fit, and the covariance of their errors, as one vector's.
template <class X, class C>
struct fitted_curve {
    X x;
    C covariance;
};

namespace detail {

/// The curve of parameters in a structure, or of each of a tuple's as an argument of its own.
template <class F, class T, class X>
auto curve_at(const F& f, const T& places, const X& x) {
    if constexpr (std::is_invocable_v<const F&, const T&, const X&>) return f(places, x);
    else if constexpr (requires { std::tuple_size<X>::value; })
        return std::apply([&](const auto&... each) { return f(places, each...); }, x);
    else return f(places, x);
}
template <class F>
struct curve_residual {
    F f;
    template <class X, class T, class Y, class S>
    auto operator()(const X& x, const T& places, const Y& y, const S& sigma) const {
        const auto values = curve_at(f, places, x);
        if constexpr (expression<decltype(values)>)
            if (!(values.shape() == y.shape()))
                raise<shape_error>({"[curve_fit] the curve has shape ", values.shape(), " and the data ", y.shape()});
        return evaluate((values - y) / sigma);
    }
};
/// (J^T J)^-1 by J's triangular factor; infinite where that is singular.
template <class J>
auto inverse_gram(const J& jacobian) {
    const auto r = linalg::qr(jacobian).R;
    using T = typename J::value_type;
    const index_t n = r.shape()[1];
    const auto one = eye<T>(n);
    try {
        const auto inverse = linalg::solve_triangular(r, one, true);
        return evaluate(matmul(inverse, matrix_transpose(inverse)));
    } catch (const linalg_error&) {
        return evaluate(0 * r + std::numeric_limits<T>::infinity());
    }
}

}  // namespace detail

/// The parameters x for which f(places, x) is next to y in the sense of least squares, from the start x0, a structure
/// of float or double (least_squares): `auto [x, covariance] = optimize::curve_fit(f, places, y, x0)`; of a tuple x0
/// f may be f(places, a, b). Numbers in braces, {1.0, 2.0}, are a vector. The covariance
/// of x's elements, of all arrays in a row, is that of errors whose size the residuals tell. With sigma, the errors'
/// standard deviations, a number or an array that broadcasts to y, residuals are divided by these; with
/// `absolute_sigma` they are the errors' sizes and not their proportions. Throws shape_error where f gives another
/// shape than y's, or there are fewer data than parameters; value_error where it is not finite at the start;
/// convergence_error where the search does not converge. Differentiable in places, y and sigma.
/// (scipy.optimize.curve_fit.)
template <class F, ricci::detail::structured X, expression Y, ricci::detail::structured S, operand Sigma>
auto curve_fit(F f, const X& places, const Y& y, const S& x0, const Sigma& sigma, bool absolute_sigma = false,
               least_squares_options options = {}) {
    const detail::curve_residual<F> residual{f};
    const auto unravel = detail::unknowns(x0).unravel;
    const auto data = evaluate(y);
    const auto fit = least_squares(residual, x0, options, places, data, sigma);
    if (!fit.status.converged)
        ricci::detail::raise<convergence_error>(
            {"[curve_fit] no fit was found in ", fit.status.iterations, " iterations: ", fit.status.message});
    const auto x = detail::elements_of(fit.x);
    const index_t n = x.shape()[0], count = data.shape().count(), free = count - n;
    if (free < 0) ricci::detail::raise<shape_error>({"[curve_fit] ", count, " data for ", n, " parameters"});
    const auto of_x = [&](const auto& v) { return detail::elements_of(residual(unravel(v), places, data, sigma)); };
    const auto inverse = detail::inverse_gram(evaluate(jacfwd(of_x)(x)));
    using T = typename std::remove_cvref_t<decltype(inverse)>::value_type;
    // of as many data as parameters nothing is left over that would tell the errors
    const T factor = free > 0 ? T(2) / T(free) : std::numeric_limits<T>::infinity();
    const auto size = evaluate(absolute_sigma ? 0 * fit.cost + T(1) : factor * fit.cost + T(0));
    const auto covariance = evaluate(size * inverse);
    return fitted_curve<std::remove_cvref_t<decltype(fit.x)>, std::remove_cvref_t<decltype(covariance)>>{fit.x,
                                                                                                         covariance};
}
template <class F, ricci::detail::structured X, expression Y, ricci::detail::structured S>
auto curve_fit(F f, const X& places, const Y& y, const S& x0) {
    return curve_fit(f, places, y, x0, 1.0);
}

template <class F, ricci::detail::structured X, expression Y, std::size_t N, class... More>
auto curve_fit(F f, const X& places, const Y& y, const double (&x0)[N], const More&... more) {
    return curve_fit(f, places, y, detail::array_in_braces<double>(x0), more...);
}

}  // namespace ricci::optimize
