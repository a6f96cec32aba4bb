// Polynomials by their coefficients, the highest power's first, beside polyval: polyfit, poly, polyadd, polydiv, roots.
#pragma once
#include "linalg.hpp"
#include "sampled.hpp"
#include "signal/convolve.hpp"

namespace ricci {

/// The coefficients of the polynomial of the given degree that fits the points (x, y) best: with the least sum of
/// squares. x has rank 1; y too, or rank 2, each column of which is fitted for itself. Singular values of the powers,
/// scaled to length 1, below n eps times the largest count as 0. With weights, of rank 1, that of the squares of w
/// times the distances: w is 1 / sigma. Differentiable. Throws value_error for a negative degree, shape_error where x,
/// y and w differ in length. (numpy.polyfit.)
template <expression X, expression Y, expression... W>
    requires(sizeof...(W) < 2)
auto polyfit(const X& x, const Y& y, int degree, const W&... w) {
    static_assert(X::rank == 1 && (Y::rank == 1 || Y::rank == 2),
                  "ricci: polyfit takes places of rank 1 and values of rank 1 or 2");
    using T = inexact_t<promote_t<typename X::value_type, typename Y::value_type>>;
    static_assert(((W::rank == 1) && ...), "ricci: polyfit takes weights of rank 1");
    if (degree < 0) detail::raise<value_error>({"[polyfit] the degree must not be negative: ", degree});
    const auto places = detail::evaluate_as<T>(x);
    const auto values = detail::evaluate_as<T>(y);
    const index_t n = places.size();
    if (n == 0 || values.shape()[0] != n)
        detail::raise<shape_error>(
            {"[polyfit] places of shape ", places.shape(), " with values of shape ", values.shape()});
    (void(w.size() == n
              ? void()
              : detail::raise<shape_error>({"[polyfit] weights of shape ", w.shape(), " for ", n, " points"})),
     ...);
    const auto weighted = [&](const auto& rows) {
        if constexpr (rank_v<decltype(rows)> == 1) return evaluate((rows * ... * detail::as_type<T>(w)));
        else return evaluate((rows * ... * expand_dims(evaluate(detail::as_type<T>(w)), 1)));
    };
    const auto powers = weighted(flip(linalg::vander(places, degree + 1), 1));
    const auto size = evaluate(norm(powers, 0));
    const double least = static_cast<double>(n) * static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
    const auto fitted =
        detail::as_called("polyfit", [&] { return linalg::lstsq(powers / size, weighted(values), least).solution; });
    if constexpr (Y::rank == 1) return evaluate(fitted / size);
    else return evaluate(fitted / expand_dims(size, 1));
}

/// The coefficients of the derivative, `times` times over: {0} of a constant. Integers give 64-bit ones, those of
/// uint64 double. Throws value_error for a negative number. (numpy.polyder.)
template <expression C>
auto polyder(const C& coefficients, int times = 1) {
    static_assert(C::rank == 1, "ricci: polyder takes coefficients of rank 1");
    using V = typename C::value_type;
    using T = std::conditional_t<std::is_integral_v<V>, promote_t<V, std::int64_t>, V>;
    if (times < 0) detail::raise<value_error>({"[polyder] the number of times must not be negative: ", times});
    auto c = detail::evaluate_as<T>(coefficients);
    for (int k = 0; k < times; ++k) {
        const index_t n = c.size();
        if (n <= 1) {
            c = evaluate(c * T(0));
            continue;
        }
        const auto exponents = evaluate(astype<real_t<T>>(arange<index_t>(n - 1, 0, -1))).to(device_t<C>{});
        c = evaluate(detail::stretch_of(c, 0, 0, n - 1) * exponents);
    }
    return c;
}
/// The coefficients of the integral from 0, plus a `constant`, `times` times over. Integers give double. Throws
/// value_error for a negative number. (numpy.polyint.)
template <expression C>
auto polyint(const C& coefficients, int times = 1, double constant = 0) {
    static_assert(C::rank == 1, "ricci: polyint takes coefficients of rank 1");
    using T = inexact_t<typename C::value_type>;
    if (times < 0) detail::raise<value_error>({"[polyint] the number of times must not be negative: ", times});
    auto c = detail::evaluate_as<T>(coefficients);
    for (int k = 0; k < times; ++k) {
        const auto exponents = evaluate(astype<real_t<T>>(arange<index_t>(c.size(), 0, -1))).to(device_t<C>{});
        const auto last = full<T>(shape<1>{1}, static_cast<T>(static_cast<real_t<T>>(constant)), device_t<C>{});
        c = evaluate(concat(std::make_tuple(c / exponents, last)));
    }
    return c;
}

/// The coefficients of the polynomial with the given zeros and the leading coefficient 1. Integers give double.
/// (numpy.poly.)
template <expression Z>
auto poly(const Z& zeros) {
    static_assert(Z::rank == 1, "ricci: poly takes zeros of rank 1");
    using T = inexact_t<typename Z::value_type>;
    const auto at = detail::evaluate_as<T>(zeros);
    auto c = lift(full<T>(shape<1>{1}, T(1), device_t<Z>{}), at);
    for (index_t k = 0; k < at.size(); ++k) {
        const auto zero = full<T>(shape<1>{1}, T(0), device_t<Z>{});
        c = evaluate(concat(std::make_tuple(c, zero)) - index(at, k) * concat(std::make_tuple(zero, c)));
    }
    return c;
}

namespace detail {

/// Two lists of coefficients in one type, the shorter one with zeros in front.
template <class A, class B>
auto as_long_polynomials(const A& a, const B& b) {
    static_assert(A::rank == 1 && B::rank == 1, "ricci: polynomials are coefficients of rank 1");
    using T = promote_t<typename A::value_type, typename B::value_type>;
    const auto padded = [n = std::max(a.shape().count(), b.shape().count())](const auto& e) {
        const auto c = evaluate_as<T>(e);
        return concat(std::make_tuple(full<T>(shape<1>{n - c.size()}, T(0), device_t<A>{}), c));
    };
    return std::make_tuple(padded(a), padded(b));
}

}  // namespace detail

/// The coefficients of the sum of two polynomials. (numpy.polyadd.)
template <expression A, expression B>
auto polyadd(const A& a, const B& b) {
    const auto [x, y] = detail::as_long_polynomials(a, b);
    return evaluate(x + y);
}
/// Of the difference. (numpy.polysub.)
template <expression A, expression B>
auto polysub(const A& a, const B& b) {
    const auto [x, y] = detail::as_long_polynomials(a, b);
    return evaluate(x - y);
}
/// Of the product, by sums. Throws shape_error for no coefficients. (numpy.polymul.)
template <expression A, expression B>
auto polymul(const A& a, const B& b) {
    static_assert(A::rank == 1 && B::rank == 1, "ricci: polynomials are coefficients of rank 1");
    detail::check_convolved(a.shape(), b.shape(), signal::full, "polymul");
    return signal::convolve(a, b, signal::full, signal::method::direct);
}
/// The quotient and the remainder of polynomials, as a std::tuple: {0} and `a` where b has the higher degree; the
/// remainder has one coefficient fewer than b, zeros in front included ({0} of a number). Integers give double. Throws
/// shape_error for no coefficients. (numpy.polydiv, which strips those zeros.)
template <expression A, expression B>
auto polydiv(const A& a, const B& b) {
    static_assert(A::rank == 1 && B::rank == 1, "ricci: polynomials are coefficients of rank 1");
    using T = inexact_t<promote_t<typename A::value_type, typename B::value_type>>;
    const auto u = detail::evaluate_as<T>(a);
    const auto by = detail::evaluate_as<T>(b);
    const index_t n = by.size();
    if (n == 0 || u.size() == 0)
        detail::raise<shape_error>({"[polydiv] coefficients of shapes ", u.shape(), " and ", by.shape()});
    auto rest = lift(u, by);
    const auto zero = lift(full<T>(shape<1>{1}, T(0), device_t<A>{}), u, by);
    if (u.size() < n) return std::make_tuple(zero, detail::unshared(rest));  // no handle of a
    std::vector<std::remove_cvref_t<decltype(rest)>> quotient;
    const auto leading = index(by, slice(0, 1));
    const auto others = detail::stretch_of(by, 0, 1, n - 1);
    for (index_t k = u.size() - n; k >= 0; --k) {
        quotient.push_back(evaluate(index(rest, slice(0, 1)) / leading));
        const auto changed = evaluate(detail::stretch_of(rest, 0, 1, n - 1) - quotient.back() * others);
        rest = evaluate(concat(std::make_tuple(changed, detail::stretch_of(rest, 0, n, k))));
    }
    return std::make_tuple(detail::concat_list(quotient, 0, "polydiv"), n == 1 ? zero : rest);
}

/// The complex zeros of the polynomial, in no order: the eigenvalues of its companion matrix, and 0 for each
/// coefficient 0 at the end; leading ones that are 0 do not count. Needs LAPACK (ricci::lapack). How many zeros there
/// are depends on the coefficients: under vmap they must be shared; no derivative (custom_root gives that of a root).
/// (numpy.roots.)
template <expression C>
auto roots(const C& coefficients) {
    static_assert(C::rank == 1, "ricci: roots takes coefficients of rank 1");
    using T = inexact_t<typename C::value_type>;
    using Z = std::complex<real_t<T>>;
    const auto c = detail::plain_values(detail::evaluate_as<T>(stop_gradient(coefficients)), "roots",
                                        "under vmap all members of the batch must share the coefficients");
    const auto used = flatnonzero(c);
    if (used.size() == 0) return zeros<Z>(shape<1>{0});
    const index_t first = used.at(0), last = used.at(-1), degree = last - first;
    const auto at_zero = zeros<Z>(shape<1>{c.size() - 1 - last});
    if (degree == 0) return at_zero;
    auto companion = zeros<T>(shape<2>{degree, degree});
    companion(0) = -index(c, slice(first + 1, last + 1)) / index(c, first);
    companion(slice(1, none)) = index(eye<T>(degree), slice(0, degree - 1));
    return evaluate(concat(std::make_tuple(linalg::eigvals(companion), at_zero)));
}

}  // namespace ricci
