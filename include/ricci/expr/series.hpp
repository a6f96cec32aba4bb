// What the series rules of ops are made of: products, derivatives and integrals of truncated series, and the recurrence
// behind y' = g(y) x'. (Griewank and Walther, Evaluating Derivatives, chapter 13.)
#pragma once
#include "nested.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci::detail {

/// A small number beside scalars S, of a type that they combine with.
template <class S>
RICCI_HD RICCI_INLINE constexpr auto factor(int n) {
    using base = scalar_base_t<S>;
    if constexpr (is_inexact_v<base>) return static_cast<real_t<base>>(n);
    else return n;
}

/// {f(c[0]), f(c[1]), ...}: what a linear function makes of a series.
template <class S, int K, class F>
RICCI_HD RICCI_INLINE constexpr auto each_coefficient(const taylor<S, K>& x, const F& f) {
    taylor<std::remove_cvref_t<decltype(f(x[0]))>, K> y;
    for (int k = 0; k <= K; ++k) y[k] = f(x[k]);
    return y;
}

template <class S>
RICCI_HD RICCI_INLINE constexpr const auto& first_coefficient(const S& x) {
    if constexpr (is_taylor_v<S>) return x[0];
    else return x;
}

/// A series of order K - 1; of order 0, a scalar.
template <class S, int K>
using lower_order =
    typename std::conditional_t<K == 1, std::type_identity<S>, std::type_identity<taylor<S, K == 1 ? 1 : K - 1>>>::type;
/// The same series without its last coefficient.
template <class S, int K>
RICCI_HD RICCI_INLINE constexpr lower_order<S, K> truncated(const taylor<S, K>& x) {
    if constexpr (K == 1) {
        return x[0];
    } else {
        taylor<S, K - 1> y;
        for (int k = 0; k < K; ++k) y[k] = x[k];
        return y;
    }
}
/// The derivative, of one order less.
template <class S, int K>
RICCI_HD RICCI_INLINE constexpr lower_order<S, K> derivative_of(const taylor<S, K>& x) {
    if constexpr (K == 1) {
        return x[1];
    } else {
        taylor<S, K - 1> y;
        for (int k = 0; k < K; ++k) y[k] = x[k + 1] * factor<S>(k + 1);
        return y;
    }
}
/// The series of order K with the value y0 whose derivative is given; a derivative of no level is constant.
template <int K, class S, class D>
RICCI_HD RICCI_INLINE constexpr taylor<S, K> integral(const S& y0, const D& derivative) {
    if constexpr (K == 1) {
        taylor<S, 1> y(y0);
        y[1] = S(derivative);
        return y;
    } else {
        const taylor<S, K - 1> d(derivative);
        taylor<S, K> y(y0);
        for (int k = 1; k <= K; ++k) y[k] = d[k - 1] / factor<S>(k);
        return y;
    }
}

/// Coefficient k of a product.
template <class S, int K>
RICCI_HD RICCI_INLINE constexpr S product_coefficient(const taylor<S, K>& a, const taylor<S, K>& b, int k) {
    S sum = a[0] * b[k];
    for (int j = 1; j <= k; ++j) sum = sum + a[j] * b[k - j];
    return sum;
}
template <class A, class B>
RICCI_HD RICCI_INLINE constexpr auto series_product(const A& a, const B& b) {
    if constexpr (!is_taylor_v<A>) {
        return each_coefficient(b, [&](const auto& c) { return a * c; });
    } else if constexpr (!is_taylor_v<B>) {
        return each_coefficient(a, [&](const auto& c) { return c * b; });
    } else {
        A y;
        for (int k = 0; k <= A::order; ++k) y[k] = product_coefficient(a, b, k);
        return y;
    }
}
template <class A, class B>
RICCI_HD RICCI_INLINE constexpr auto series_quotient(const A& a, const B& b) {
    if constexpr (!is_taylor_v<B>) {
        return each_coefficient(a, [&](const auto& c) { return c / b; });
    } else {
        const B numerator(a);
        B y;
        for (int k = 0; k <= B::order; ++k) {
            auto rest = numerator[k];
            for (int j = 1; j <= k; ++j) rest = rest - b[j] * y[k - j];
            y[k] = rest / b[0];
        }
        return y;
    }
}

/// The series y with y' = g x' and the value y0; coefficient(y, k), which may use y up to k, gives g's.
template <class S, int K, class G>
RICCI_HD RICCI_INLINE constexpr taylor<S, K> series_along(const taylor<S, K>& x, const S& y0, const G& coefficient) {
    taylor<S, K> y(y0), g;
    for (int k = 1; k <= K; ++k) {
        g[k - 1] = coefficient(y, k - 1);
        S sum = x[k] * g[0] * factor<S>(k);
        for (int j = 1; j < k; ++j) sum = sum + x[j] * g[k - j] * factor<S>(j);
        y[k] = sum / factor<S>(k);
    }
    return y;
}

/// sum_k c[k] (x - x[0])^k: a function of a series from its own Taylor coefficients at x[0], by Horner's rule.
template <class S, int K>
RICCI_HD RICCI_INLINE constexpr taylor<S, K> composed(const taylor<S, K>& c, const taylor<S, K>& x) {
    taylor<S, K> y(c[K]);
    for (int k = K - 1; k >= 0; --k) {
        for (int n = K; n > 0; --n) {  // x[0] left out: an infinite c[k] must not spoil the coefficients below
            S sum = x[n] * y[0];
            for (int j = 1; j < n; ++j) sum = sum + x[j] * y[n - j];
            y[n] = sum;
        }
        y[0] = c[k];
    }
    return y;
}

}  // namespace ricci::detail
RICCI_BOTH_SIDES_END
