// Statistics put together from reductions and products: ptp, aminmax, var_mean, std_mean, average, cov, corrcoef.
#pragma once
#include <cstdlib>
#include <utility>

#include "checked_values.hpp"
#include "contract.hpp"
#include "diagonal.hpp"
#include "elementwise/abs.hpp"
#include "elementwise/ldexp.hpp"
#include "named.hpp"
#include "reduce.hpp"
#include "stop_gradient.hpp"

namespace ricci {
namespace detail {

/// The variables of x, its rows or its columns, as rows without their means, in type T. Each stays where it is in
/// memory.
template <class T, class E>
auto centered_rows(const E& x, bool rows, const char* who) {
    const auto a = evaluate_as<T>(x);
    if (a.shape()[rows ? 1 : 0] == 0) detail::raise<value_error>({"[", who, "] of no observations: shape ", a.shape()});
    const auto by_rows = [](const auto& v) { return evaluate(v - mean(v, 1, keepdims)); };
    const auto by_columns = [](const auto& v) {
        return std::remove_cvref_t<decltype(by_rows(v))>(matrix_transpose(evaluate(v - mean(v, 0))));
    };
    if (!rows) return by_columns(a);
    if constexpr (requires { a.strides(); })
        if (std::abs(a.strides()[0]) < std::abs(a.strides()[1])) return by_columns(evaluate(matrix_transpose(a)));
    return by_rows(a);
}
/// c times its conjugate transpose, with a real diagonal.
template <class C>
auto gram_of_rows(const C& c) {
    if constexpr (is_complex_v<typename C::value_type>) {
        const auto products = matmul(c, matrix_transpose(conj(c)));
        return fill_diagonal(products, ricci::complex(real(diagonal(products)), 0));
    } else {
        return matmul(c, matrix_transpose(c));  // of the same array: half the work
    }
}
/// Vectors along an axis times powers of two that bring their largest elements near 1, so that no square overflows or
/// vanishes.
template <class C>
auto near_one(const C& c, int axis) {
    using R = real_t<typename C::value_type>;
    const auto by = evaluate(1 - std::get<1>(frexp(max(abs(stop_gradient(c)), axis, keepdims))));
    const auto half = evaluate(floor_divide(by, 2));  // two factors: one might overflow
    return evaluate(c * evaluate(ldexp(R(1), half)) * evaluate(ldexp(R(1), by - half)));
}
/// Rows so; they stay where they are in memory.
template <class C>
auto rows_near_one(const C& c) {
    using X = decltype(near_one(c, 1));
    if constexpr (requires { c.strides(); })
        if (std::abs(c.strides()[0]) < std::abs(c.strides()[1]))
            return X(matrix_transpose(near_one(evaluate(matrix_transpose(c)), 0)));
    return near_one(c, 1);
}
/// Numbers without what rounding brought beyond [-1, 1]; the derivative is that of the numbers.
template <class X>
auto limited_to_one(const X& x) {
    if constexpr (is_complex_v<typename X::value_type>)
        return ricci::complex(limited_to_one(evaluate(real(x))), limited_to_one(evaluate(imag(x))));
    else return evaluate(x + stop_gradient(clip(x, -1, 1) - x));
}

/// The smallest and the largest elements, as a pair, over axes as reductions name them.
template <int N, class Keep, class E>
auto extremes_over(const E& x, const int* axes, const char* who) {
    const auto a = evaluate(x);
    return std::make_pair(min_axes<N, Keep>(a, axes, who), max_axes<N, Keep>(a, axes, who));
}
template <int N, class Keep, class E>
auto ptp_over(const E& x, const int* axes) {
    const auto [least, most] = extremes_over<N, Keep>(x, axes, "ptp");
    return evaluate(most - least);
}

}  // namespace detail

/// The largest element less the smallest, over all, one or several axes. Throws value_error for an empty axis.
/// (numpy.ptp.)
template <expression E, keep_option Keep = dropdims_t>
auto ptp(const E& x, Keep = {}) {
    return detail::ptp_over<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto ptp(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::ptp_over<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto ptp(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::ptp_over<N, Keep>(x, axes);
}

/// What aminmax gives: for bindings, std::get and std::tie as a tuple is.
template <class Extreme>
struct aminmax_result {
    using ricci_named = void;
    Extreme min, max;
    friend auto members(const aminmax_result& y) { return std::tie(y.min, y.max); }
    operator std::tuple<Extreme&, Extreme&>() { return {min, max}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
namespace detail {
template <int N, class Keep, class E>
auto aminmax_over(const E& x, const int* axes) {
    auto [least, most] = extremes_over<N, Keep>(x, axes, "aminmax");
    return aminmax_result<decltype(least)>{std::move(least), std::move(most)};
}
}  // namespace detail
/// The smallest and the largest element, over all, one or several axes: `auto [low, high]`, or .min and .max. Throws
/// value_error for an empty axis. (torch.aminmax.)
template <expression E, keep_option Keep = dropdims_t>
auto aminmax(const E& x, Keep = {}) {
    return detail::aminmax_over<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto aminmax(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::aminmax_over<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto aminmax(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::aminmax_over<N, Keep>(x, axes);
}

namespace detail {
template <int N, class Keep, bool Root, class E>
auto var_mean_over(const E& x, const int* axes, double correction) {
    const auto a = evaluate(x);
    return std::make_tuple(var_axes<N, Keep, Root>(a, axes, correction), mean_axes<N, Keep>(a, axes));
}
}  // namespace detail
/// The variance and the mean, over all, one or several axes, as a std::tuple; the arguments are those of var, whose
/// correction is 0 unless given. (torch.var_mean, whose correction is 1.)
template <expression E, keep_option Keep = dropdims_t>
auto var_mean(const E& x, Keep = {}, double correction = 0) {
    return detail::var_mean_over<-1, Keep, false>(x, nullptr, correction);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto var_mean(const E& x, Axis axis, Keep = {}, double correction = 0) {
    const int number = detail::axis_number(axis);
    return detail::var_mean_over<1, Keep, false>(x, &number, correction);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto var_mean(const E& x, const int (&axes)[N], Keep = {}, double correction = 0) {
    return detail::var_mean_over<N, Keep, false>(x, axes, correction);
}
/// The standard deviation and the mean, as var_mean. (torch.std_mean.)
template <expression E, keep_option Keep = dropdims_t>
auto std_mean(const E& x, Keep = {}, double correction = 0) {
    return detail::var_mean_over<-1, Keep, true>(x, nullptr, correction);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto std_mean(const E& x, Axis axis, Keep = {}, double correction = 0) {
    const int number = detail::axis_number(axis);
    return detail::var_mean_over<1, Keep, true>(x, &number, correction);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto std_mean(const E& x, const int (&axes)[N], Keep = {}, double correction = 0) {
    return detail::var_mean_over<N, Keep, true>(x, axes, correction);
}

/// The mean with weights along an axis, sum(w x) / sum(w): weights of rank 1, as many as the axis has elements, or of
/// x's shape. Integers give double. Throws shape_error where they do not fit. Weights that add up to 0 give what that
/// division gives.
template <expression E, expression W, keep_option Keep = dropdims_t>
auto average(const E& x, const W& weights, int axis, Keep keep = {}) {
    using T = inexact_t<promote_t<typename E::value_type, typename W::value_type>>;
    using S = compute_t<T>;  // 16 bits hold what is asked for, but may not hold the sums
    const auto a = detail::evaluate_as<S>(x);
    const int d = detail::normalize_axis(axis, E::rank, "average");
    const auto by = detail::broadcast_along(detail::evaluate_as<S>(weights), a.shape(), d, "average", "weights");
    return detail::evaluate_as<T>(sum(by * a, d, keep) / sum(by, d, keep));
}

/// Over all elements, with weights of x's shape.
template <expression E, expression W, keep_option Keep = dropdims_t>
auto average(const E& x, const W& weights, Keep keep = {}) {
    static_assert(E::rank == W::rank,
                  "ricci: the weights have the array's shape, or stand along an axis: average(x, w, 0)");
    if (!(x.shape() == weights.shape()))
        detail::raise<shape_error>(
            {"[average] weights of shape ", weights.shape(), " for an array of shape ", x.shape()});
    using T = inexact_t<promote_t<typename E::value_type, typename W::value_type>>;
    const auto by = detail::evaluate_as<compute_t<T>>(weights);
    return detail::evaluate_as<T>(sum(by * detail::evaluate_as<compute_t<T>>(x), keep) / sum(by, keep));
}
/// Without weights the mean, over all, one or several axes.
template <expression E, keep_option Keep = dropdims_t>
auto average(const E& x, Keep keep = {}) {
    return mean(x, keep);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto average(const E& x, Axis axis, Keep keep = {}) {
    return mean(x, axis, keep);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto average(const E& x, const int (&axes)[N], Keep keep = {}) {
    return mean(x, axes, keep);
}

/// The covariances of variables that are the rows of `x`, each column an observation of all (with rows = false the
/// other way round), about their means: sums over the products, divided by the number of observations less
/// `correction`. Of complex numbers the second factor is conjugated. Of one variable, in a matrix, a 1 x 1 matrix.
/// Integers give double. Throws value_error for no observations. (numpy.cov, torch.cov, which give a number of rank 0
/// for one variable.)
template <expression E>
    requires(E::rank != 1)
auto cov(const E& x, detail::yes_or_no rows = true, detail::plain_number correction = 1) {
    static_assert(E::rank == 2, "ricci: cov takes a matrix");
    using T = inexact_t<typename E::value_type>;
    const auto c = detail::centered_rows<compute_t<T>>(x, rows, "cov");
    const auto degrees = std::max(static_cast<double>(c.shape()[1]) - correction, 0.0);
    return detail::evaluate_as<T>(detail::gram_of_rows(c) / static_cast<compute_t<real_t<T>>>(degrees));
}
namespace detail {
/// Weights of n observations, or ones.
template <class R, class W>
auto weights_of_observations(const W& given, index_t n) {
    if constexpr (expression<W>) {
        static_assert(W::rank == 1, "ricci: the weights of observations are a vector");
        const auto w = evaluate_as<R>(given);
        if (w.shape()[0] != n) raise<shape_error>({"[cov] weights of shape ", w.shape(), " for ", n, " observations"});
        require(w, condition::not_negative, "cov", "a weight");
        return w;
    } else {
        return ones<R>(shape<1>{n});
    }
}
}  // namespace detail
/// The same with weights of the observations, vectors or `none`: how often each is counted (fweights), and how much it
/// is relied upon (aweights), as numpy.cov has them. Differentiable in both. Throws shape_error for another number of
/// them, value_error for negative ones.
template <expression E, class F, class A = none_t>
    requires(E::rank == 2 && (expression<F> || std::is_same_v<F, none_t>) &&
             (expression<A> || std::is_same_v<A, none_t>))
auto cov(const E& x, detail::yes_or_no rows, detail::plain_number correction, const F& fweights,
         const A& aweights = {}) {
    using T = inexact_t<typename E::value_type>;
    using C = compute_t<T>;
    using R = real_t<C>;
    const auto a = detail::evaluate_as<C>(x);
    using X = std::remove_const_t<decltype(a)>;
    const X v = rows ? X(a) : X(evaluate(matrix_transpose(a)));
    const index_t n = v.shape()[1];
    if (n == 0) detail::raise<value_error>({"[cov] of no observations: shape ", a.shape()});
    const auto reliable = detail::weights_of_observations<R>(aweights, n);
    const auto w = evaluate(detail::weights_of_observations<R>(fweights, n) * reliable);
    const auto total = evaluate(sum(w));
    const auto centered = evaluate(v - sum(v * w, 1, keepdims) / total);
    // of equal reliability the correction is that of so many observations
    const auto degrees = total - static_cast<R>(correction) * (sum(w * reliable) / total);
    const auto products = matmul(evaluate(centered * w), matrix_transpose(conj(centered)));
    return detail::evaluate_as<T>(products / maximum(degrees, R(0)));
}
template <expression E, detail::bare_correction N>
    requires(E::rank != 1)
auto cov(const E& x, N) {
    static_assert(always_false<E>,
                  "ricci: a correction comes after whether the rows are the variables: cov(x, true, 0)");
    return x;
}
/// Covariances over the products of the standard deviations: correlations, to within rounding 1 on the diagonal, and
/// not beyond 1, as are both parts of complex ones. NaN for a variable that does not vary. (numpy.corrcoef.)
template <expression E>
auto corrcoef(const E& x, detail::yes_or_no rows = true) {
    static_assert(E::rank == 2, "ricci: corrcoef takes a matrix");
    using T = inexact_t<typename E::value_type>;
    const auto c = detail::rows_near_one(detail::centered_rows<compute_t<T>>(x, rows, "corrcoef"));
    const auto products = detail::gram_of_rows(c);
    const auto sizes = evaluate(sqrt(real(diagonal(products))));
    return detail::evaluate_as<T>(detail::limited_to_one(evaluate(products / sizes(all, newaxis) / sizes)));
}

/// The variance of one variable, of rank 1.
template <expression E>
    requires(E::rank == 1)
auto cov(const E& x, detail::plain_number correction = 1) {
    const auto c = cov(reshape(x, {1, -1}), true, correction);
    return index(c, 0, 0);
}
namespace detail {
template <class A, class B>
auto two_variables(const A& a, const B& b, const char* who) {
    if (a.shape()[0] != b.shape()[0])
        raise<shape_error>({"[", who, "] variables of shapes ", a.shape(), " and ", b.shape()});
    return stack(std::make_tuple(a, b));
}
}  // namespace detail
/// The 2 x 2 covariances, and correlations, of two variables of rank 1.
template <expression A, expression B>
auto cov(const A& a, const B& b, detail::plain_number correction = 1) {
    static_assert(A::rank == 1 && B::rank == 1, "ricci: cov takes the rows of a matrix, or two vectors");
    return cov(detail::two_variables(a, b, "cov"), true, correction);
}
template <expression A, expression B>
auto corrcoef(const A& a, const B& b) {
    static_assert(A::rank == 1 && B::rank == 1, "ricci: corrcoef takes the rows of a matrix, or two vectors");
    return corrcoef(detail::two_variables(a, b, "corrcoef"));
}

}  // namespace ricci
