// Determinants, inverses, linear systems and Cholesky factors of small fixed matrices.
#pragma once
#include "../../core/product_in_range.hpp"
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
#if defined(__GNUC__)
    else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, double>) return __builtin_fabs(v);
    else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, float>) return __builtin_fabsf(v);
#endif
    else return v < 0 ? -v : v;
}
/// Whether x is larger, or NaN, of which a matrix is not to be singular.
template <class S>
RICCI_INLINE constexpr bool is_better_pivot(const S& x, const S& y) {
    const auto size = pivot_size(x);
    return size > pivot_size(y) || size != size;
}
template <class S>
using pivot_size_t = decltype(pivot_size(std::declval<const S&>()));
template <class S>
RICCI_INLINE constexpr pivot_size_t<S> squared_size(const S& x) {
    const auto& v = innermost(x);
    if constexpr (is_complex_v<std::remove_cvref_t<decltype(v)>>) return v.real() * v.real() + v.imag() * v.imag();
    else return v * v;
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

/// Exchanges row k, whose first k elements are none any more, with another, in A and in B.
template <index_t N, index_t Columns, class W>
constexpr void swap_rows(W* a, W* b, index_t k, index_t other) {
    for (index_t j = k; j < N; ++j) std::swap(a[k * N + j], a[other * N + j]);
    for (index_t j = 0; j < Columns; ++j) std::swap(b[k * Columns + j], b[other * Columns + j]);
}
/// Takes multiples of row k from those below, so that nothing is left below its pivot. What would be 0 is not written.
template <index_t N, index_t Columns, class W>
constexpr void clear_below(W* a, W* b, index_t k) {
    for (index_t i = k + 1; i < N; ++i) {
        const W factor = a[i * N + k] / a[k * N + k];  // of the smallest pivots there is no reciprocal
        for (index_t j = k + 1; j < N; ++j) a[i * N + j] = a[i * N + j] - factor * a[k * N + j];
        for (index_t j = 0; j < Columns; ++j) b[i * Columns + j] = b[i * Columns + j] - factor * b[k * Columns + j];
    }
}
/// Solves A X = B in place by Gaussian elimination with partial pivoting. Leaves the pivots on A's diagonal, whose
/// product is det A but for the sign, which it gives: 0 of a singular matrix, unless `op` names who complains of it.
template <index_t N, index_t Columns, class W>
constexpr int eliminate(W* a, W* b, const char* op) {
    int sign = 1;
    for (index_t k = 0; k < N; ++k) {
        index_t pivot = k;
        for (index_t i = k + 1; i < N; ++i)
            if (is_better_pivot(a[i * N + k], a[pivot * N + k])) pivot = i;
        if (pivot_size(a[pivot * N + k]) == 0) {
            if (op) refuse_singular(op, k);
            return 0;
        }
        if (pivot != k) {
            swap_rows<N, Columns>(a, b, k, pivot);
            sign = -sign;
        }
        clear_below<N, Columns>(a, b, k);
    }
    if constexpr (Columns > 0)
        for (index_t k = N; k-- > 0;)
            for (index_t j = 0; j < Columns; ++j) {
                W x = b[k * Columns + j];
                for (index_t i = k + 1; i < N; ++i) x = x - a[k * N + i] * b[i * Columns + j];
                b[k * Columns + j] = x / a[k * N + k];
            }
    return sign;
}
/// The same with complete pivoting, for determinants of numbers with derivatives: how many rows have pivots, and the
/// sign. What is left has the value 0.
template <index_t N, class W>
constexpr std::pair<index_t, int> eliminate_completely(W* a) {
    int sign = 1;
    for (index_t k = 0; k < N; ++k) {
        index_t row = k, column = k;
        for (index_t i = k; i < N; ++i)
            for (index_t j = k; j < N; ++j)
                if (is_better_pivot(a[i * N + j], a[row * N + column])) row = i, column = j;
        if (pivot_size(a[row * N + column]) == 0) return {k, sign};
        if (row != k) {
            swap_rows<N, 0>(a, static_cast<W*>(nullptr), k, row);
            sign = -sign;
        }
        if (column != k) {
            for (index_t i = k; i < N; ++i) std::swap(a[i * N + k], a[i * N + column]);
            sign = -sign;
        }
        clear_below<N, 0>(a, static_cast<W*>(nullptr), k);
    }
    return {N, sign};
}
/// The product of the first `count` pivots on A's diagonal, which may change places.
template <index_t N, class W>
constexpr W product_of_pivots(W* a, index_t count) {
    return product_in_range(a, N + 1, count, [](const W& x) { return pivot_size(x); });
}
/// The determinant of the rows from `row` on and the columns outside of `taken`, by minors.
template <index_t N, class W>
constexpr W determinant_by_minors(const W* a, index_t row, bool* taken) {
    if (row == N) return W(1);
    W sum(0);
    bool negative = false;
    for (index_t j = 0; j < N; ++j) {
        if (taken[j]) continue;
        taken[j] = true;
        const W term = a[row * N + j] * determinant_by_minors<N>(a, row + 1, taken);
        taken[j] = false;
        sum = negative ? W(sum - term) : W(sum + term);
        negative = !negative;
    }
    return sum;
}
/// The most numbers of the value 0 whose product can have a derivative.
template <class W>
inline constexpr index_t most_zero_factors = [] {
    index_t sum = 0;
    for (auto degrees = degrees_v<W>; degrees != 0; degrees >>= 4) sum += static_cast<index_t>(degrees & 15);
    return sum;
}();
template <class A>
RICCI_NOINLINE constexpr auto determinant_by_elimination(A a) {
    using W = typename A::value_type;
    constexpr index_t n = A::template extent<0>;
    W* const rows = a.data();
    if constexpr (is_nested_v<W>) {  // a singular matrix has derivatives, too
        const auto [rank, sign] = eliminate_completely<n>(rows);
        if (n - rank > most_zero_factors<W>) return W(0);
        bool taken[n] = {};
        for (index_t k = 0; k < rank; ++k) taken[k] = true;
        const W rest = determinant_by_minors<n>(rows, rank, taken), product = product_of_pivots<n>(rows, rank) * rest;
        return sign < 0 ? W(-product) : product;
    } else {
        const int sign = eliminate<n, 0>(rows, static_cast<W*>(nullptr), nullptr);
        if (sign == 0) return W(0);
        const W product = product_of_pivots<n>(rows, n);
        return sign < 0 ? W(-product) : product;
    }
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
/// The sum of the squares of all: of many elements in four lanes, of others one after the other, each with its product
/// in one instruction: nothing but a branch that is foreseen waits for it.
template <index_t Count, class W>
RICCI_INLINE constexpr pivot_size_t<W> sum_of_squares(const W* x) {
    using R = pivot_size_t<W>;
#if defined(__GNUC__)
    if constexpr (std::is_same_v<R, W> && sizeof(R) <= 8 && Count > 8)
        if (!std::is_constant_evaluated()) {
            typedef R row __attribute__((vector_size(4 * sizeof(R))));
            row sum = {}, part;
            R rest(0);
            for (index_t k = 0; k + 4 <= Count; k += 4) {
                __builtin_memcpy(&part, x + k, sizeof part);
                sum += part * part;
            }
            for (index_t k = Count & ~index_t(3); k < Count; ++k) rest += x[k] * x[k];
            return rest + ((sum[0] + sum[1]) + (sum[2] + sum[3]));
        }
#endif
    R sum(0);
    RICCI_UNROLL
    for (index_t k = 0; k < Count; ++k) sum += squared_size(x[k]);
    return sum;
}
/// Whether the closed determinant of three or four rows, of so many squares' sum, and the adjugate are as good as
/// elimination but for a few digits, and in range: they lose what the largest singular value is beyond each of the
/// others, elimination what it is beyond the least. Of three rows the cube of the sum must be in range, too.
template <index_t N, class R>
RICCI_INLINE constexpr bool keeps_digits(const R& determinant, const R& squares) {
    using limits = std::numeric_limits<R>;
    using wide = std::conditional_t<(sizeof(R) < sizeof(double)), double, R>;
    constexpr wide share = wide(1) / 4096;
    const wide d = determinant, s = squares;
    const wide size = N == 4 ? d : d * d, least = N == 4 ? share * s * s : (share * s) * (share * s) * s;
    // one branch, by integers: several would keep the adjugate out of registers
    const int is_normal = limits::min() <= determinant, is_bounded = determinant <= 1 / limits::min();
    const int is_there = std::numeric_limits<wide>::min() <= least, is_large = least < size;
    return (is_normal & is_bounded & is_there & is_large) != 0;
}

/// Whether a closed determinant has all its digits. Of two rows it has, unless it leaves the range.
template <class A, class W>
RICCI_INLINE constexpr bool closed_determinant_is_good(const A& x, const W& determinant) {
    constexpr index_t n = A::template extent<0>;
    const auto size = pivot_size(determinant);
    if constexpr (n < 2) return true;
    else if constexpr (n == 2) return size <= std::numeric_limits<pivot_size_t<W>>::max();
    else return keeps_digits<n>(size, sum_of_squares<A::count>(x.data()));
}
/// Whether inverses by the adjugate are as good as those of elimination, which is for singular matrices, too, and for
/// those whose minors, determinant or its reciprocal leave the range, or lose digits, below the least normal number or
/// by cancellation.
template <class A>
RICCI_INLINE constexpr bool divides_safely(const A& x, const adjugate<A>& y) {
    using limits = std::numeric_limits<pivot_size_t<typename A::value_type>>;
    constexpr index_t n = A::template extent<0>;
    const auto size = pivot_size(y.determinant);
    if constexpr (n < 3) return (int(limits::min() <= size) & int(size <= 1 / limits::min())) != 0;
    else return keeps_digits<n>(size, sum_of_squares<A::count>(x.data()));
}
template <class A>
RICCI_INLINE constexpr A inverse_of(const adjugate<A>& y) {
    using W = typename A::value_type;
    const W by = W(1) / y.determinant;
    return A::generate([&](index_t k) RICCI_INLINE_LAMBDA { return y.elements[k] * by; });
}
/// The determinant where the closed one may have lost digits: that one if it is not finite as elements are, or 0, as of
/// whole numbers, though no product of elements was too small.
template <class A>
RICCI_NOINLINE constexpr auto careful_determinant(const A& x) {
    using W = typename A::value_type;
    using R = pivot_size_t<W>;
    using limits = std::numeric_limits<R>;
    const W closed = closed_determinant(x);
    R least(1);
    for (index_t k = 0; k < A::count; ++k) {
        const R size = pivot_size(x.data()[k]);
        if (!(size <= limits::max())) return closed;
        if (size != 0 && size < least) least = size;
    }
    R product = limits::epsilon() * limits::epsilon();  // what cancellation leaves of minors
    for (index_t k = 0; k < A::template extent<0>; ++k) product *= least;
    if (pivot_size(closed) == 0 && product >= limits::min()) return closed;
    return W(determinant_by_elimination(x));
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

/// The determinant of a fixed matrix: closed formulas up to 4x4, elimination beyond, where products in them leave the
/// range, and where they cancel. Of duals it has the derivatives at singular matrices, too.
template <fixed_expression A>
    requires(A::rank == 2)
RICCI_INLINE constexpr auto det(const A& a) {
    const auto& x = detail::fixed_matrix_argument(a);
    constexpr index_t n = A::template extent<0>;
    using W = typename std::remove_cvref_t<decltype(x)>::value_type;
    if constexpr (n <= detail::max_closed) {
        const W determinant = detail::closed_determinant(x);
        if (!detail::closed_determinant_is_good(x, determinant)) [[unlikely]]
            return fixed_tensor<W>(detail::careful_determinant(x));
        return fixed_tensor<W>(determinant);
    } else {
        return fixed_tensor<W>(detail::determinant_by_elimination(x));
    }
}

/// The inverse of a fixed matrix: the adjugate over the determinant up to 4x4; elimination with partial pivoting
/// beyond, where the determinant or minors leave the range, and for 3x3 and 4x4 ill-conditioned ones, of which the
/// adjugate loses more digits. Throws linalg_error for a singular matrix.
template <fixed_expression A>
    requires(A::rank == 2)
RICCI_INLINE constexpr auto inv(const A& a) {
    const auto& x = detail::fixed_matrix_argument(a);
    constexpr index_t n = A::template extent<0>;
    if constexpr (n > 0 && n <= detail::max_closed) {
        const auto adjugate = detail::adjugate_of(x);
        if (!detail::divides_safely(x, adjugate)) [[unlikely]]
            return detail::inverse_by_elimination(x);
        return detail::inverse_of(adjugate);
    } else {
        return detail::inverse_by_elimination(x);
    }
}

/// The x with a x = b of a fixed square matrix and a fixed vector or matrix of right sides. Closed formulas up to 3x3,
/// elimination with partial pivoting beyond. Throws linalg_error for a singular matrix.
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
        if (!detail::divides_safely(x, adjugate)) [[unlikely]]
            return detail::solution_by_elimination(x, y);
        constexpr index_t columns = B::count / n;
        // the adjugate by y may leave the range though the solution does not
        return detail::multiply_fixed<right, n, n, columns>(detail::inverse_of(adjugate), y);
    } else {
        return detail::solution_by_elimination(x, y);
    }
}

/// The lower triangular L, its diagonal positive, with a = L L^H, of a Hermitian positive definite fixed matrix, of
/// which the lower triangle is read; with `upper` the upper one is, and L^H returned. Throws linalg_error, with the
/// order of the leading minor that is not positive.
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
