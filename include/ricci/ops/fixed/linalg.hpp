// Determinants, inverses, linear systems and Cholesky factors of small fixed matrices.
#pragma once
#include "../linalg/determinant.hpp"
#include "../linalg/factor.hpp"
#include "../linalg/solve.hpp"
#include "products.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// The type that the linear algebra of T is computed in and given in, as for tensors.
template <class T>
struct fixed_matrix_type {
    using type = T;
};
template <element T>
struct fixed_matrix_type<T> {
    using type = compute_t<inexact_t<T>>;
};
template <class T>
using fixed_matrix_t = typename fixed_matrix_type<T>::type;

/// The number that says how large a pivot is.
template <class S>
RICCI_INLINE constexpr auto pivot_size(const S& x) {
    const auto& v = innermost(x);
    if constexpr (is_complex_v<std::remove_cvref_t<decltype(v)>>)
        return (v.real() < 0 ? -v.real() : v.real()) + (v.imag() < 0 ? -v.imag() : v.imag());
    else return v < 0 ? -v : v;
}
/// Whether to divide by x: what is 0, subnormal or no number is left to elimination, which scales and says what is singular.
template <class S>
RICCI_INLINE constexpr bool divides_safely(const S& x) {
    const auto size = pivot_size(x);
    using limits = std::numeric_limits<std::remove_cvref_t<decltype(size)>>;
    return size >= limits::min() && size <= limits::max();
}

template <class S>
RICCI_INLINE constexpr auto real_value(const S& x) {
    const auto& v = innermost(x);
    if constexpr (is_complex_v<std::remove_cvref_t<decltype(v)>>) return v.real();
    else return v;
}
template <class S>
RICCI_INLINE constexpr S positive_root(const S& x) {
    if constexpr (is_complex_v<S>) return math::sqrt(x.real());
    else if constexpr (element<S>) return math::sqrt(x);
    else return sqrt(x);
}

[[noreturn, gnu::cold]] RICCI_NOINLINE inline void refuse_singular(const char* op, index_t k) {
    raise<linalg_error>({"[", op, "] the matrix is singular: U(", k, ", ", k, ") is 0"});
}

/// Solves A X = B in place by Gaussian elimination with partial pivoting, and gives det A; a null `op` asks for no more than
/// that, and a singular matrix is none to complain of then.
template <index_t N, index_t Columns, class W>
constexpr W eliminate(W* a, W* b, const char* op) {
    W determinant(1);
    for (index_t k = 0; k < N; ++k) {
        index_t pivot = k;
        for (index_t i = k + 1; i < N; ++i)
            if (pivot_size(a[i * N + k]) > pivot_size(a[pivot * N + k])) pivot = i;
        if (pivot_size(a[pivot * N + k]) == 0) {
            if (op) refuse_singular(op, k);
            return W(0);
        }
        if (pivot != k) {
            for (index_t j = k; j < N; ++j) std::swap(a[k * N + j], a[pivot * N + j]);
            for (index_t j = 0; j < Columns; ++j) std::swap(b[k * Columns + j], b[pivot * Columns + j]);
            determinant = -determinant;
        }
        determinant = determinant * a[k * N + k];
        for (index_t i = k + 1; i < N; ++i) {
            const W factor = a[i * N + k] / a[k * N + k];  // of the smallest pivots there is no reciprocal
            for (index_t j = k + 1; j < N; ++j) a[i * N + j] = a[i * N + j] - factor * a[k * N + j];
            for (index_t j = 0; j < Columns; ++j) b[i * Columns + j] = b[i * Columns + j] - factor * b[k * Columns + j];
        }
    }
    if constexpr (Columns > 0)
        for (index_t k = N; k-- > 0;)
            for (index_t j = 0; j < Columns; ++j) {
                W x = b[k * Columns + j];
                for (index_t i = k + 1; i < N; ++i) x = x - a[k * N + i] * b[i * Columns + j];
                b[k * Columns + j] = x / a[k * N + k];
            }
    return determinant;
}
template <class A>
RICCI_NOINLINE constexpr auto inverse_by_elimination(A a) {
    constexpr index_t n = A::template extent<0>;
    A y = A::eye();
    eliminate<n, n>(a.data(), y.data(), "inv");
    return y;
}
template <class A, class B>
constexpr B solution_by_elimination(A a, B b) {
    constexpr index_t n = A::template extent<0>;
    eliminate<n, B::count / (n > 0 ? n : 1)>(a.data(), b.data(), "solve");
    return b;
}

/// Up to this many rows inverses and determinants are closed formulas.
inline constexpr index_t max_closed = 4;

/// The 2x2 minors of two rows of a 4x4 matrix, by pairs of columns: 01, 02, 03, 12, 13, 23.
template <class W>
struct minors_of_rows {
    W m01, m02, m03, m12, m13, m23;
    RICCI_INLINE constexpr minors_of_rows(const W* p, const W* q)
        : m01(p[0] * q[1] - p[1] * q[0]),
          m02(p[0] * q[2] - p[2] * q[0]),
          m03(p[0] * q[3] - p[3] * q[0]),
          m12(p[1] * q[2] - p[2] * q[1]),
          m13(p[1] * q[3] - p[3] * q[1]),
          m23(p[2] * q[3] - p[3] * q[2]) {}
};
template <class W>
RICCI_INLINE constexpr W determinant_of_minors(const minors_of_rows<W>& s, const minors_of_rows<W>& c) {
    return (s.m01 * c.m23 - s.m02 * c.m13 + s.m03 * c.m12) + (s.m12 * c.m03 - s.m13 * c.m02 + s.m23 * c.m01);
}

template <class A>
RICCI_INLINE constexpr auto closed_determinant(const A& x) {
    using W = typename A::value_type;
    constexpr index_t n = A::template extent<0>;
    const W* a = x.data();
    if constexpr (n == 0) return W(1);
    else if constexpr (n == 1) return a[0];
    else if constexpr (n == 2) return W(a[0] * a[3] - a[1] * a[2]);
    else if constexpr (n == 3)
        return W(a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
                 a[2] * (a[3] * a[7] - a[4] * a[6]));
    else return determinant_of_minors(minors_of_rows<W>(a, a + 4), minors_of_rows<W>(a + 8, a + 12));
}

/// The matrix of cofactors, transposed, and the determinant.
template <class A>
struct adjugate {
    using value_type = typename A::value_type;
    value_type elements[A::count];
    value_type determinant;
    RICCI_INLINE constexpr const value_type* data() const { return elements; }
};
template <class A>
RICCI_INLINE constexpr adjugate<A> adjugate_of(const A& x) {
    using W = typename A::value_type;
    constexpr index_t n = A::template extent<0>;
    const W* a = x.data();
    if constexpr (n == 1) {
        return {{W(1)}, a[0]};
    } else if constexpr (n == 2) {
        return {{a[3], -a[1], -a[2], a[0]}, a[0] * a[3] - a[1] * a[2]};
    } else if constexpr (n == 3) {
        const W c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8], c2 = a[3] * a[7] - a[4] * a[6];
        return {{c0, a[2] * a[7] - a[1] * a[8], a[1] * a[5] - a[2] * a[4], c1, a[0] * a[8] - a[2] * a[6],
                 a[2] * a[3] - a[0] * a[5], c2, a[1] * a[6] - a[0] * a[7], a[0] * a[4] - a[1] * a[3]},
                a[0] * c0 + a[1] * c1 + a[2] * c2};
    } else {
        // Laplace's expansion along pairs of rows
        const minors_of_rows<W> s(a, a + 4), c(a + 8, a + 12);
        return {{a[5] * c.m23 - a[6] * c.m13 + a[7] * c.m12, a[2] * c.m13 - a[1] * c.m23 - a[3] * c.m12,
                 a[13] * s.m23 - a[14] * s.m13 + a[15] * s.m12, a[10] * s.m13 - a[9] * s.m23 - a[11] * s.m12,
                 a[6] * c.m03 - a[4] * c.m23 - a[7] * c.m02, a[0] * c.m23 - a[2] * c.m03 + a[3] * c.m02,
                 a[14] * s.m03 - a[12] * s.m23 - a[15] * s.m02, a[8] * s.m23 - a[10] * s.m03 + a[11] * s.m02,
                 a[4] * c.m13 - a[5] * c.m03 + a[7] * c.m01, a[1] * c.m03 - a[0] * c.m13 - a[3] * c.m01,
                 a[12] * s.m13 - a[13] * s.m03 + a[15] * s.m01, a[9] * s.m03 - a[8] * s.m13 - a[11] * s.m01,
                 a[5] * c.m02 - a[4] * c.m12 - a[6] * c.m01, a[0] * c.m12 - a[1] * c.m02 + a[2] * c.m01,
                 a[13] * s.m02 - a[12] * s.m12 - a[14] * s.m01, a[8] * s.m12 - a[9] * s.m02 + a[10] * s.m01},
                determinant_of_minors(s, c)};
    }
}

}  // namespace RICCI_ISA

/// A fixed matrix in the type that its linear algebra is computed in.
template <class E>
RICCI_INLINE constexpr decltype(auto) fixed_matrix_argument(const E& x) {
    static_assert(E::template extent<0> == E::template extent<1>, "ricci: linalg: the fixed matrix is not square");
    using M = typename E::template with<fixed_matrix_t<typename E::value_type>>;
    if constexpr (std::is_same_v<M, E>) return (x);
    else return M(x);
}

}  // namespace detail

namespace linalg {

/// The determinant of a fixed matrix: closed formulas up to 4x4, elimination beyond.
template <fixed_expression A>
    requires(A::rank == 2)
RICCI_INLINE constexpr auto det(const A& a) {
    const auto& x = detail::fixed_matrix_argument(a);
    constexpr index_t n = A::template extent<0>;
    using M = std::remove_cvref_t<decltype(x)>;
    using W = typename M::value_type;
    if constexpr (n <= detail::max_closed) {
        return fixed_tensor<W>(detail::closed_determinant(x));
    } else {
        M reduced = x;
        return fixed_tensor<W>(detail::eliminate<n, 0>(reduced.data(), static_cast<W*>(nullptr), nullptr));
    }
}

/// The inverse of a fixed matrix: the adjugate over the determinant up to 4x4, whose rounding errors grow with the condition
/// number as those of elimination do; elimination with partial pivoting beyond, and where the determinant under- or overflows.
/// Throws linalg_error for a singular matrix.
template <fixed_expression A>
    requires(A::rank == 2)
RICCI_INLINE constexpr auto inv(const A& a) {
    const auto& x = detail::fixed_matrix_argument(a);
    constexpr index_t n = A::template extent<0>;
    if constexpr (n > 0 && n <= detail::max_closed) {
        using W = typename std::remove_cvref_t<decltype(x)>::value_type;
        const auto adjugate = detail::adjugate_of(x);
        if (!detail::divides_safely(adjugate.determinant)) [[unlikely]]
            return detail::inverse_by_elimination(x);
        const W by = W(1) / adjugate.determinant;
        return std::remove_cvref_t<decltype(x)>::generate(
            [&](index_t k) RICCI_INLINE_LAMBDA { return adjugate.elements[k] * by; });
    } else {
        return detail::inverse_by_elimination(x);
    }
}

/// The x with a x = b of a fixed square matrix and a fixed vector or matrix of right sides. Closed formulas up to 3x3, elimination
/// with partial pivoting beyond. Throws linalg_error for a singular matrix.
template <fixed_expression A, fixed_expression B>
    requires(A::rank == 2 && (B::rank == 1 || B::rank == 2))
RICCI_INLINE constexpr auto solve(const A& a, const B& b) {
    using T = detail::fixed_matrix_t<
        typename detail::fixed_product_types<typename A::value_type, typename B::value_type>::result>;
    constexpr index_t n = A::template extent<0>;
    static_assert(n == A::template extent<1>, "ricci: solve: the fixed matrix is not square");
    static_assert(n == B::template extent<0>, "ricci: solve: the rows of a and b must be as many");
    using right = typename B::template with<T>;
    const typename A::template with<T> x(a);
    const right y(b);
    if constexpr (n > 0 && n < detail::max_closed) {
        const auto adjugate = detail::adjugate_of(x);
        if (!detail::divides_safely(adjugate.determinant)) [[unlikely]]
            return detail::solution_by_elimination(x, y);
        constexpr index_t columns = B::count / n;
        return right(detail::multiply_fixed<right, n, n, columns>(adjugate, y) * (T(1) / adjugate.determinant));
    } else {
        return detail::solution_by_elimination(x, y);
    }
}

/// The lower triangular L, its diagonal positive, with a = L L^H, of a Hermitian positive definite fixed matrix, of which the
/// lower triangle is read; with `upper` the upper one is, and L^H returned. Throws linalg_error, with the order of the leading
/// minor that is not positive.
template <fixed_expression A>
    requires(A::rank == 2)
RICCI_INLINE constexpr auto cholesky(const A& a, detail::yes_or_no upper = false) {
    const auto& x = detail::fixed_matrix_argument(a);
    using M = std::remove_cvref_t<decltype(x)>;
    using W = typename M::value_type;
    constexpr index_t n = A::template extent<0>;
    const auto conjugate = [](const W& z) RICCI_INLINE_LAMBDA {
        if constexpr (is_complex_v<W>) return W(z.real(), -z.imag());
        else return z;
    };
    const auto place = [&](index_t i, index_t j) RICCI_INLINE_LAMBDA { return upper ? j * n + i : i * n + j; };
    M l;
    W* to = l.data();
    RICCI_UNROLL
    for (index_t j = 0; j < n; ++j) {
        W squared = x.data()[j * n + j];
        for (index_t k = 0; k < j; ++k) squared = squared - to[place(j, k)] * conjugate(to[place(j, k)]);
        if (!(detail::real_value(squared) > 0)) [[unlikely]]
            detail::raise<linalg_error>({"[cholesky] the matrix is not positive definite: the leading minor of order ",
                                         j + 1, " is not positive"});
        const W root = detail::positive_root(squared), by = W(1) / root;
        to[j * n + j] = root;
        RICCI_UNROLL
        for (index_t i = j + 1; i < n; ++i) {
            W sum = x.data()[place(i, j)];
            for (index_t k = 0; k < j; ++k) sum = sum - to[place(i, k)] * conjugate(to[place(j, k)]);
            to[place(i, j)] = sum * by;
        }
    }
    return l;
}

}  // namespace linalg
}  // namespace ricci
