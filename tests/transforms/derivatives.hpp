// Derivatives of a function of arrays against central differences of its values, and against each other.
#pragma once
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <cmath>
#include <tuple>

namespace derivative_checks {

using namespace ricci;

/// Equal shapes, and elements that differ by less than `tolerance` times the largest one (or 1).
template <class A, class B>
void check_close(const A& actual, const B& expected, double tolerance = 1e-12) {
    const auto a = evaluate(actual);
    const auto b = evaluate(expected);
    REQUIRE(a.shape() == b.shape());
    double scale = 1, distance = 0;
    if (b.size() > 0) {
        scale = std::fmax(1, static_cast<double>(max(abs(b)).item()));
        distance = static_cast<double>(max(abs(a - b)).item());
    }
    CAPTURE(a.shape());
    CHECK(distance <= tolerance * scale);  // false for NaN
}

/// Elements in [-1, 1] that repeat nothing: the k-th is the fractional part of k times the golden ratio.
template <int R>
tensor<double, R> spread(const shape<R>& extents, int seed = 1) {
    auto x = tensor<double, R>::uninitialized(extents);
    for (index_t i = 0; i < x.size(); ++i) {
        const double k = (static_cast<double>(i) + seed) * 0.6180339887498949;
        x.data()[i] = 2 * (k - std::floor(k)) - 1;
    }
    return x;
}
template <int R>
tensor<double, R> spread(const index_t (&extents)[R], int seed = 1) {
    shape<R> s;
    for (int d = 0; d < R; ++d) s[d] = extents[d];
    return spread(s, seed);
}

// Steps of 2^-10: the truncation error of the five-point rule is h^4 f''''' / 30 = 3e-14 f''''', the rounding error
// 1.5 eps / h = 3e-13 f.
inline constexpr double step = 1.0 / 1024;
inline constexpr double difference_tolerance = 1e-9;

/// The derivative of f at x along t.
template <class F, class... X>
auto difference(const F& f, const std::tuple<X...>& x, const std::tuple<X...>& t) {
    auto at = [&](double s) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return evaluate(f(evaluate(std::get<I>(x) + s * std::get<I>(t))...));
        }(std::index_sequence_for<X...>{});
    };
    return evaluate((8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step));
}


/// The gradient of sum(y_bar * f(x...)) with respect to argument I.
template <std::size_t I, class F, class C, class... X>
auto difference_gradient(const F& f, const C& y_bar, const std::tuple<X...>& x) {
    auto gradient = zeros_like(std::get<I>(x));
    auto t = std::apply([](const auto&... a) { return std::make_tuple(zeros_like(a)...); }, x);
    for (index_t i = 0; i < gradient.size(); ++i) {
        std::get<I>(t).data()[i] = 1;
        gradient.data()[i] = sum(y_bar * difference(f, x, t)).item();
        std::get<I>(t).data()[i] = 0;
    }
    return gradient;
}

template <class T>
auto as_tuple(const T& t) {
    if constexpr (expression<T>) return std::make_tuple(t);
    else return t;
}

/// vjp and jvp of f(x...) against differences, and as each other's transposes.
template <class F, class... X>
void check_first_order(const F& f, const X&... x) {
    const std::tuple<X...> at(x...), x_dot(spread(x.shape(), 11)...);
    const auto y = evaluate(f(x...));
    const auto y_bar = spread(y.shape(), 7);
    const auto [value, pull] = vjp(f, x...);
    check_close(value, y);
    const auto x_bar = as_tuple(pull(y_bar));
    const auto [same, y_dot] = jvp(f, at, x_dot);
    check_close(same, y);
    check_close(y_dot, difference(f, at, x_dot), difference_tolerance);
    double transposed = 0;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (check_close(std::get<I>(x_bar), difference_gradient<I>(f, y_bar, at), difference_tolerance), ...);
        transposed = (0 + ... + sum(std::get<I>(x_bar) * std::get<I>(x_dot)).item());
    }(std::index_sequence_for<X...>{});
    CHECK(sum(y_bar * y_dot).item() == doctest::Approx(transposed).epsilon(1e-11));
}

template <class F>
auto weighted_sum(const F& f) {
    return [f](const auto& x) {
        const auto y = evaluate(f(x));
        return sum(spread(y.shape(), 7) * y);
    };
}

/// The Hessian of a weighted sum of f's elements times a vector, forward over reverse, against the difference of the
/// gradient.
template <class F, int R>
void check_orders(const F& f, const tensor<double, R>& x) {
    check_first_order(f, x);
    const auto slope = grad(weighted_sum(f));
    const auto v = spread(x.shape(), 3);
    check_close(std::get<1>(jvp(slope, x, v)), difference(slope, std::make_tuple(x), std::make_tuple(v)), difference_tolerance);
}
/// The same product, reverse over reverse.
template <class F, int R>
void check_reverse_twice(const F& f, const tensor<double, R>& x) {
    const auto slope = grad(weighted_sum(f));
    const auto v = spread(x.shape(), 3);
    check_close(grad([slope, v](const auto& u) { return sum(v * slope(u)); })(x),
                difference(slope, std::make_tuple(x), std::make_tuple(v)), difference_tolerance);
}

/// The Hessian is symmetric and gives hvp's products; the Jacobian is the same both ways, and its products are
/// differences.
template <class F, int R>
void check_matrices(const F& f, const tensor<double, R>& x) {
    const index_t n = x.size();
    const auto v = spread(x.shape(), 3);
    const auto s = weighted_sum(f);
    const auto h = reshape(hessian(s)(x), {n, n});
    check_close(h, permute(h, {1, 0}));
    check_close(reshape(sum(h * reshape(v, {n}), 1), x.shape()), hvp(s, x, v));
    const auto forward = jacfwd(f)(x);
    check_close(jacrev(f)(x), forward);
    const auto y = evaluate(f(x));
    check_close(reshape(sum(reshape(forward, {y.size(), n}) * reshape(v, {n}), 1), y.shape()),
                difference(f, std::make_tuple(x), std::make_tuple(v)), difference_tolerance);
}

}  // namespace derivative_checks
