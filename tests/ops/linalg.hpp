// What tests of linalg share: random matrices of any element type, residuals, and derivatives checked in double and
// complex.
#pragma once
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <cmath>

#include "../reference.hpp"

namespace linear {

using namespace ricci;
using complex_double = std::complex<double>;

/// Normally distributed elements.
template <class T, int R>
tensor<T, R> some(const shape<R>& extents, int seed) {
    generator g(static_cast<std::uint64_t>(seed));
    const auto x = randn<double>(extents, g);
    if constexpr (is_complex_v<T>) return evaluate(astype<T>(complex(x, randn<double>(extents, g))));
    else return evaluate(astype<T>(x));
}
/// The conjugate transpose.
template <class E>
auto turned(const E& e) {
    return detail::adjoint(evaluate(e));
}
/// A Hermitian positive definite matrix made from any: A A^H + 1.
template <class E>
auto definite(const E& a) {
    return evaluate(matmul(a, turned(a)) + eye<real_t<typename E::value_type>>(a.shape()[E::rank - 2]));
}
template <class E>
auto hermitian(const E& a) {
    return evaluate(a + turned(a));
}
/// The largest absolute value; 0 of none.
template <class E>
double largest(const E& e) {
    const auto x = evaluate(abs(e));
    return x.size() > 0 ? static_cast<double>(max(x).item()) : 0;
}
template <class T>
inline constexpr double epsilon = std::numeric_limits<real_t<T>>::epsilon();

/// The elements of several arrays as one vector: functions that are checked together share what is compiled for them.
template <class T, class... E>
auto joined(const E&... e) {
    return concat(std::make_tuple(detail::evaluate_as<T>(evaluate(ravel(e)))...), 0);
}
/// First derivatives of f, backward and forward, and second ones, backward.
template <class F, class... X>
void check_derivatives(const F& f, const X&... x) {
    CHECK(gradcheck(f, std::make_tuple(x...)));
    CHECK(gradgradcheck<gradcheck_mode::backward>(f, std::make_tuple(x...)));
}
/// f(a) and grad(f) under vmap are those of the members; f gives an array.
template <class F, class... X>
void check_batches(const F& f, const X&... x) {
    const auto close = [](const auto& a, const auto& b) {
        return largest(evaluate(a - b)) <= 1e-10 * (1 + largest(b));
    };
    const auto g = grad([f](const auto& first, const auto&... rest) {
        const auto y = f(first, rest...);
        return sum(real(y * conj(y)));
    });
    const auto values = vmap(f)(x...);
    const auto slopes = vmap(g)(x...);
    for (index_t i = 0; i < values.shape()[0]; ++i) {
        CHECK(close(evaluate(index(values, i)), evaluate(f(evaluate(index(x, i))...))));
        CHECK(close(evaluate(index(slopes, i)), evaluate(g(evaluate(index(x, i))...))));
    }
}

}  // namespace linear
