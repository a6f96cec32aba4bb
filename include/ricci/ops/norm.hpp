// The length of vectors: norm.
#pragma once
#include "reduce.hpp"

namespace ricci {
namespace detail {

/// The root of the sum of squares; where it is 0, all derivatives are 0.
template <int N, class Keep, class E>
auto norm_axes(const E& e, const int* axes) {
    using T = inexact_t<typename E::value_type>;
    using R = real_t<T>;
    using W = compute_t<R>;  // 16 bits may hold the norm and not the sum
    const auto x = evaluate(as_type<T>(e));
    const reduction_axes<E::rank, N, Keep> a(x.shape(), axes, "norm");
    const auto sum = [&] {
        if constexpr (is_complex_v<T>) return evaluate(sum_over<W>(map<ops::squared_abs>(x), a));
        else return evaluate(sum_over<W>(square(x), a));
    }();
    return evaluate_as<R>(flat_root(sum));
}
/// Of any order; each is code of its own.
template <int N, class Keep, class E>
auto norm_axes(const E& e, const int* axes, double order) {
    using R = real_t<inexact_t<typename E::value_type>>;
    using W = compute_t<R>;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto two = [&] { return norm_axes<N, Keep>(e, axes); };
    using Y = decltype(two());
    if (order == 2) return two();
    if (order != order) raise<value_error>({"[norm] the order must not be NaN"});
    const auto length = evaluate(abs(as_type<inexact_t<typename E::value_type>>(e)));
    const reduction_axes<E::rank, N, Keep> a(length.shape(), axes, "norm");
    if (order == 1) return Y(evaluate_as<R>(sum_over<W>(length, a)));
    if (order == infinity) return Y(evaluate(extremum_over<combine_maximum>(length, a, "norm")));
    if (order == -infinity) return Y(evaluate(extremum_over<combine_minimum>(length, a, "norm")));
    if (order == 0) return Y(evaluate_as<R>(sum_over<W>(where(length == R(0), R(0), R(1)), a)));
    const W p = static_cast<W>(order), at_zero = order > 0 ? W(0) : static_cast<W>(infinity);
    const auto powers =
        constant_where(length == R(0), static_cast<R>(at_zero), length, [p](const auto& x) { return pow(x, p); });
    const auto sum = evaluate(sum_over<W>(powers, a));
    const auto root = [p](const auto& s) { return pow(s, 1 / p); };
    return Y(evaluate_as<R>(constant_where(sum == at_zero, W(0), sum, root)));
}

}  // namespace detail

/// The 2-norm, the root of the sum of |x|^2, of all elements, or of the vectors along one or several axes. Integers
/// give double, complex numbers real ones. 0 of no elements. The derivative where the norm is 0 is 0, as torch has
/// it. Squares may overflow, as NumPy's do. (numpy.linalg.vector_norm, torch.linalg.vector_norm.)
template <expression E, keep_option Keep = dropdims_t>
auto norm(const E& x, Keep = {}) {
    return detail::norm_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto norm(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::norm_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto norm(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::norm_axes<N, Keep>(x, axes);
}

/// The p-norm, (sum |x|^p)^(1 / p), p = `order`, `{}` or keepdims before it: norm(x, 1, {}, 3); for infinity the
/// largest |x|, for -infinity the smallest, for 0 the number of elements that are not 0, which has no derivative. Of no
/// elements 0, for an order below 0 infinity; for an infinite one value_error is thrown then, as it is for NaN.
/// Elements that are 0 have the derivative 0, those that tie for an extremum share it.
template <expression E, keep_option Keep = dropdims_t>
auto norm(const E& x, Keep, double order) {
    return detail::norm_axes<-1, Keep>(x, nullptr, order);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto norm(const E& x, Axis axis, Keep, double order) {
    const int number = detail::axis_number(axis);
    return detail::norm_axes<1, Keep>(x, &number, order);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto norm(const E& x, const int (&axes)[N], Keep, double order) {
    return detail::norm_axes<N, Keep>(x, axes, order);
}

}  // namespace ricci
