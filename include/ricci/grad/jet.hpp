// Taylor mode: derivatives of all orders up to one, in one pass: jet, and derivative and derivatives of scalar
// functions.
#pragma once
#include "taylor_tensor.hpp"
#include "transforms.hpp"

namespace ricci {
namespace detail {

/// k!, exact up to the highest degree.
constexpr double factorial(int k) {
    double product = 1;
    for (int j = 2; j <= k; ++j) product *= j;
    return product;
}
template <class X>
auto scaled_coefficient(const X& x, double by) {
    if (by == 1) return x;
    return evaluate(x * static_cast<typename X::value_type>(by));
}

/// The value of jet's result or, for K > 0, its K-th derivative.
template <class W, int K, class Y>
auto jet_derivative(const Y& y) {
    return map_arrays(y, []<class A>(const A& a) {
        if constexpr (wrapped_by_v<W, A>) return scaled_coefficient(a.coefficient(K), factorial(K));
        else if constexpr (K == 0) return a;
        else return constant_array<A>(a.shape(), 0);
    });
}

/// One argument of jet: its value, then its derivatives, each checked and divided by k!.
template <class Chain, class X, class... D>
auto coefficients_of(const X& x, const D&... d) {
    static_assert(((X::rank == D::rank) && ...), "ricci: jet: a derivative's rank is not its argument's");
    auto value = lift(Chain{}, x);
    using V = decltype(value);
    static_assert(is_inexact_v<typename V::value_type>,
                  "ricci: derivatives are taken with respect to floating or complex arguments");
    int k = 0;
    const auto coefficient = [&](const auto& each) {
        if (!(each.shape() == x.shape()))
            detail::raise<shape_error>(
                {"[jet] derivative ", k + 1, " of an argument has shape ", each.shape(), ", the argument ", x.shape()});
        return scaled_coefficient(lift(Chain{}, evaluate_as<typename V::value_type>(each)), 1 / factorial(++k));
    };
    return std::array<V, sizeof...(D) + 1>{value, coefficient(d)...};
}

template <class T>
auto as_arrays(const T& series) {
    return std::apply([](const auto&... d) { return make_pack(as_array(d)...); }, series);
}
/// f at the arguments x with the given series, a pack of arrays each.
template <int Degree, class F, class... A, class... S>
auto jet_of(const F& f, const pack<A...>& x, const S&... series) {
    using W = expand_by<F, Degree>;
    static_assert(sizeof...(A) == sizeof...(S), "ricci: jet needs the derivatives of each argument");
    static_assert(((S::size == Degree) && ...), "ricci: jet needs as many derivatives of each argument");
    using given =
        decltype([]<class... All>(const pack<All...>&) { return chain_of_t<All...>{}; }(concat_all(x, series...)));
    using enter = entered<W, all_arrays<int(sizeof...(A))>(), decltype(lift(given{}, std::declval<const A&>()))...>;
    using chain = typename entry_chain<W, F, enter, phantom<given>>::type;
    const transform_scope scope;
    const auto all = make_pack(series...);
    const auto inside = generate<sizeof...(A)>([&](auto i) {
        const auto c =
            unpack([&](const auto&... d) { return coefficients_of<chain>(get<i()>(x), d...); }, get<i()>(all));
        using V = typename decltype(c)::value_type;
        return std::apply([&](const auto&... each) { return taylor_tensor<V, Degree, F>(scope.level, each...); }, c);
    });
    const auto y = differentiated_call(f, inside);
    return transform_indices<Degree>(
        [&](auto k) { return jet_derivative<W, k() + 1>(y); },
        [&](const auto&... d) { return std::make_tuple(jet_derivative<W, 0>(y), std::make_tuple(d...)); });
}

/// Refuses a function of complex numbers whose derivative u along 1 and v along i differ: those of conj, real, abs.
template <class S>
constexpr void check_analytic(const S& u, const S& v, S turn) {
    const auto difference = std::abs(v - turn * u), size = std::abs(u) + std::abs(v);
    if (difference > 1e3 * std::sqrt(std::numeric_limits<real_t<S>>::epsilon()) * size)
        raise<gradient_error>(
            {"[derivative] the function is not analytic (it takes conj, real, imag, abs or angle of its "
             "argument): it has no complex derivative; take jvp or grad"});
}

}  // namespace detail

/// The value and the derivatives of f along a curve: with x(t) given by its value `x` and its derivatives `series` =
/// (x', x'', ..., of order k) at t = 0, the tuple (f(x), (y', y'', ..., of order k)) of y(t) = f(x(t)). Derivatives,
/// not Taylor coefficients (JAX's jet): along a line, x' = v and 0 from there on, they are the directional derivatives
/// of f. One pass over truncated series, where k nested jvps would compute 2^k components. Several arguments come as
/// tuples, x = rc::tuple(x1, x2) and series = rc::tuple(rc::tuple(x1', ...), rc::tuple(x2', ...)). Orders up to 15;
/// composes with the other transforms. Throws shape_error when a derivative has not its argument's shape. Griewank and
/// Walther, Evaluating Derivatives, ch. 13; Bettencourt, Johnson, Duvenaud, Taylor-mode automatic differentiation,
/// 2019.
template <class F, operand X, class... D>
auto jet(F f, const X& x, const std::tuple<D...>& series) {
    static_assert(sizeof...(D) >= 1 && sizeof...(D) <= 15, "ricci: jet takes 1 to 15 derivatives of its argument");
    return detail::jet_of<int(sizeof...(D))>(f, detail::make_pack(detail::as_array(x)), detail::as_arrays(series));
}
template <class F, class... X, class First, class... Series>
auto jet(F f, const std::tuple<X...>& x, const std::tuple<First, Series...>& series) {
    constexpr int degree = int(std::tuple_size_v<First>);
    static_assert(degree >= 1 && degree <= 15, "ricci: jet takes 1 to 15 derivatives of each argument");
    return std::apply(
        [&](const auto&... each) {
            return detail::jet_of<degree>(f, detail::as_arrays(x), detail::as_arrays(each)...);
        },
        series);
}

/// Value and derivative of a function of one number: the pair (f(x), f'(x)). `f` is any code that is generic in its
/// scalar; it may branch and loop. x is a floating or complex number, an integer, taken as a double, or a dual or
/// series of an outer derivative. Of a complex x, f is evaluated along 1 and along i; throws gradient_error where the
/// two show that it is not analytic.
template <class F, class X>
    requires(scalar_value<X> || kernel_scalar<X>)
constexpr auto derivative(const F& f, const X& x) {
    using T = std::conditional_t<std::is_integral_v<X>, double, X>;
    static_assert(std::is_invocable_v<const F&, dual<T>>,
                  "ricci: the function of derivative takes its number as auto, not double: "
                  "derivative([](auto t) { return t * t; }, 2.0)");
    const auto y = f(dual<T>(T(x), T(1)));
    using Y = std::remove_cvref_t<decltype(y)>;
    if constexpr (is_complex_scalar_v<T> && detail::depth_v<Y> > detail::depth_v<T>) {
        using C = detail::scalar_base_t<T>;
        static_assert(is_complex_scalar_v<Y>, "ricci: a real function of a complex number has no complex derivative");
        const auto other = f(dual<T>(T(x), T(C(0, 1))));
        detail::check_analytic(detail::innermost(y.tangent), detail::innermost(other.tangent), C(0, 1));
    }
    if constexpr (detail::depth_v<Y> > detail::depth_v<T>) return std::make_pair(y.value, y.tangent);
    else return std::make_pair(y, Y(0));  // does not depend on x
}

/// f(x), f'(x), ..., the K-th derivative of a function of one number, as a std::array: one evaluation of f on a Taylor
/// series of order K. What f and x may be is as for `derivative`.
template <int K, class F, class X>
    requires(scalar_value<X> || kernel_scalar<X>)
constexpr auto derivatives(const F& f, const X& x) {
    static_assert(K >= 1 && K <= 15, "ricci: derivatives<K> has an order K from 1 to 15");
    using T = std::conditional_t<std::is_integral_v<X>, double, X>;
    const taylor<T, K> y(f(taylor<T, K>::variable(T(x))));
    if constexpr (is_complex_scalar_v<T>) {
        using C = detail::scalar_base_t<T>;
        auto along = taylor<T, K>::variable(T(x));
        along[1] = T(C(0, 1));
        const taylor<T, K> other(f(along));
        C turn(1);
        for (int k = 1; k <= K; ++k) {
            turn = turn * C(0, 1);
            detail::check_analytic(detail::innermost(y[k]), detail::innermost(other[k]), turn);
        }
    }
    std::array<T, K + 1> orders{};
    for (int k = 0; k <= K; ++k)
        orders[static_cast<std::size_t>(k)] =
            y[k] * static_cast<real_t<detail::scalar_base_t<T>>>(detail::factorial(k));
    return orders;
}

}  // namespace ricci
