// Singular values and vectors: of small matrices by one-sided Jacobi rotations, which find small values as exactly as
// the matrix determines them, of others by way of a bidiagonal matrix, which takes a fraction of the time.
#pragma once
#include "bidiagonal_divide.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Matrices of as many columns and fewer are left to Jacobi's rotations.
inline constexpr index_t jacobi_columns = 16;
/// The vectors of as many columns and fewer, but more than those, are found by QR steps, of others by divide and
/// conquer.
inline constexpr index_t undivided_columns = 64;

/// Makes the rows of w orthogonal to each other by rotations, which the rows of v, unless it is empty, follow: w = S
/// U^H after w = A^H, and v = V^H conjugated. Largest rows first (de Rijk 1989). False after 60 sweeps.
template <class T>
bool orthogonalize_rows(const matrix_span<T>& w, const matrix_span<T>& v) {
    using R = real_t<T>;
    const index_t n = w.rows, m = w.columns;
    const R tolerance = std::numeric_limits<R>::epsilon() * std::sqrt(static_cast<R>(m));
    const matrix_buffer<R> squares(1, n);
    R* const norm2 = squares.data();
    for (int sweep = 0; sweep < 60; ++sweep) {
        bool rotated = false;
        for (index_t i = 0; i < n; ++i) norm2[i] = sum_of_squares(m, w.row(i));
        for (index_t p = 0; p + 1 < n; ++p) {
            index_t top = p;
            for (index_t i = p + 1; i < n; ++i)
                if (norm2[i] > norm2[top]) top = i;
            if (top != p) {
                swap_rows(m, w.row(p), w.row(top));
                if (v.rows > 0) swap_rows(v.columns, v.row(p), v.row(top));
                std::swap(norm2[p], norm2[top]);
            }
            for (index_t q = p + 1; q < n; ++q) {
                if (norm2[q] <= std::numeric_limits<R>::min()) continue;
                T across = inner_product(m, w.row(p), w.row(q));
                const R size = std::abs(across);
                if (!(size > tolerance * std::sqrt(norm2[p]) * std::sqrt(norm2[q]))) continue;
                rotated = true;
                if constexpr (is_complex_v<T>) {  // the second row's phase first, so that the angle is real
                    const T phase = conjugate(across) / size;
                    scale_row(m, phase, w.row(q));
                    if (v.rows > 0) scale_row(v.columns, phase, v.row(q));
                    across = T(size);
                }
                const R g = real_part(across), zeta = (norm2[q] - norm2[p]) / (2 * g);
                const R t = std::copysign(R(1), zeta) / (std::abs(zeta) + std::hypot(R(1), zeta));
                const R c = 1 / std::sqrt(1 + t * t), s = c * t;
                rotate_rows<T, R>(m, c, s, w.row(p), w.row(q));
                if (v.rows > 0) rotate_rows<T, R>(v.columns, c, s, v.row(p), v.row(q));
                norm2[p] = sum_of_squares(m, w.row(p));
                norm2[q] = sum_of_squares(m, w.row(q));
            }
        }
        if (!rotated) return true;
    }
    return false;
}

/// The columns of u from `known` on become unit vectors that are orthogonal to those before.
template <class T>
void complete_basis(const matrix_span<T>& u, index_t known) {
    if (known >= u.columns) return;
    const matrix_buffer<T> basis(u.rows, std::max<index_t>(known, 1)), q(u.rows, u.columns), tau(1, known + 1);
    const auto b = matrix_span<T>{basis.data(), u.rows, known, std::max<index_t>(known, 1)};
    copy_matrix(u.block(0, 0, u.rows, known), b);
    factor_qr(b, tau.data());
    form_q(b, tau.data(), q.span());
    copy_matrix(q.span().block(0, known, u.rows, u.columns - known), u.block(0, known, u.rows, u.columns - known));
}

/// The places of the values, largest first.
template <class R>
matrix_buffer<index_t> descending_order(index_t n, const R* s) {
    matrix_buffer<index_t> order(1, n);
    for (index_t i = 0; i < n; ++i) order.data()[i] = i;
    std::sort(order.data(), order.data() + n, [&](index_t i, index_t j) { return s[i] != s[j] ? s[i] > s[j] : i < j; });
    return order;
}
/// The rows of x, in this order, become the first columns of `to`.
template <class X, class T>
void place_columns(const matrix_span<X>& x, const index_t* order, const matrix_span<T>& to) {
    constexpr index_t tile = 16;
    for (index_t k0 = 0; k0 < x.rows; k0 += tile)
        for (index_t i = 0; i < x.columns; ++i)
            for (index_t k = k0; k < std::min(k0 + tile, x.rows); ++k) to(i, k) = T(x(order[k], i));
}

/// A = U diag(s) V^H of a tall matrix whose elements are near 1, the vectors in descending order of s, which is in none
/// yet: by rotations of the rows of R, not its columns, which takes fewer sweeps (Drmac and Veselic 2008): R = W^T with
/// R^H = V S X^H, so that A = Q R = (Q X) S V^H.
template <class T>
bool jacobi_svd(const matrix_span<T>& a, const matrix_span<T>& u, real_t<T>* s, const matrix_span<T>& vh) {
    using R = real_t<T>;
    const index_t n = a.columns;
    const bool vectors = u.rows > 0 || vh.rows > 0;
    const matrix_buffer<T> tau(1, n), rows(n, n), right(vectors ? n : 0, n);
    factor_qr(a, tau.data());
    const auto w = rows.span(), x = right.span();
    copy_upper(a, w);
    if (vectors) fill_identity(x);
    if (!orthogonalize_rows(w, x)) return false;
    for (index_t i = 0; i < n; ++i) s[i] = length_of(n, w.row(i));
    if (vectors) {
        const auto order = descending_order(n, s);
        index_t rank = 0;
        const matrix_buffer<T> columns(n, n);
        const auto v = columns.span();  // V^H's rows as columns, to be completed where s is 0
        for (index_t k = 0; k < n; ++k) {
            const index_t from = order.data()[k];
            const bool positive = s[from] > std::sqrt(std::numeric_limits<R>::min());  // others were not turned
            if (positive) rank = k + 1;
            for (index_t j = 0; j < n; ++j) v(j, k) = positive ? conjugate(w(from, j)) / s[from] : T(0);
        }
        complete_basis(v, rank);
        copy_adjoint(v, vh);
        // U = Q [X 0; 0 I], X the conjugates of x's rows
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) x(i, j) = conjugate(x(i, j));
        fill_identity(u);
        place_columns(x, order.data(), u);
        apply_q(a, tau.data(), u);
    }
    return true;
}

/// A matrix as Q B P^H with a bidiagonal B (Golub and Kahan 1965), d on its diagonal and e above it.
template <class T>
struct bidiagonal_form {
    matrix_span<T> q;  // the matrix that A was
    matrix_buffer<T> p, tau;
    real_t<T>* d;
    matrix_buffer<real_t<T>> e;

    bidiagonal_form(const matrix_span<T>& a, real_t<T>* s)
        : q(a), p(a.columns, a.columns), tau(2, a.columns), d(s), e(1, a.columns) {
        bidiagonal_reduction<T>(a, d, e.data(), tau_q(), p.span(), tau_p()).run();
    }
    T* tau_q() const { return tau.span().row(0); }
    T* tau_p() const { return tau.span().row(1); }
};
/// U and V^H of a form: the columns of Q and P, turned by the steps that make B diagonal.
template <class T>
bool rotated_svd(const bidiagonal_form<T>& b, const matrix_span<T>& u, const matrix_span<T>& vh) {
    const index_t m = b.q.rows, n = b.q.columns;
    const matrix_buffer<T> left(n, m), right(n, n);
    const auto x = left.span(), y = right.span();
    form_q(b.q, b.tau_q(), u);
    copy_turned(m, n, u.data, u.step, x.data, x.step);
    fill_identity(y);  // P is, in its first row and column
    copy_adjoint(q_of_rows(b.p.span(), b.tau_p()).span(), y.block(1, 1, n - 1, n - 1));
    if (!bidiagonal_qr<T>(n, b.d, b.e.data(), x, y).run()) return false;
    const auto order = descending_order(n, b.d);
    place_columns(x, order.data(), u);
    for (index_t k = 0; k < n; ++k) std::copy(y.row(order.data()[k]), y.row(order.data()[k]) + n, vh.row(k));
    return true;
}
/// The same by those of B, turned by Q and P.
template <class T>
bool divided_svd(const bidiagonal_form<T>& b, const matrix_span<T>& u, const matrix_span<T>& vh) {
    using R = real_t<T>;
    const index_t n = b.q.columns;
    const matrix_buffer<R> left(n, n), right(n, n);
    if (!bidiagonal_halves<R>(n, b.d, b.e.data(), left.span(), right.span()).run()) return false;
    const auto order = descending_order(n, b.d);
    fill_identity(u);
    place_columns(left.span(), order.data(), u);
    apply_q(b.q, b.tau_q(), u);
    const matrix_buffer<T> columns(n, n);
    const auto v = columns.span();
    place_columns(right.span(), order.data(), v);
    apply_q(reflections_of_rows(b.p.span()).span(), b.tau_p(), v.block(1, 0, n - 1, n));
    copy_adjoint(v, vh);
    return true;
}
/// A = U diag(s) V^H by way of a bidiagonal matrix, of a matrix whose elements are near 1.
template <class T>
bool bidiagonal_svd(const matrix_span<T>& a, const matrix_span<T>& u, real_t<T>* s, const matrix_span<T>& vh) {
    const bidiagonal_form<T> b(a, s);
    if (u.rows == 0 && vh.rows == 0)
        return bidiagonal_qr<T>(a.columns, s, b.e.data(), matrix_span<T>{}, matrix_span<T>{}).run();
    return a.columns <= undivided_columns ? rotated_svd(b, u, vh) : divided_svd(b, u, vh);
}

/// The same of a matrix with far more rows than columns, of whose R the singular value decomposition is.
template <class T>
bool squared_svd(const matrix_span<T>& a, const matrix_span<T>& u, real_t<T>* s, const matrix_span<T>& vh) {
    const index_t n = a.columns;
    const bool vectors = u.rows > 0 || vh.rows > 0;
    const matrix_buffer<T> tau(1, n), square(n, n), left(vectors ? n : 0, n);
    factor_qr(a, tau.data());
    const auto r = square.span(), x = left.span();
    copy_upper(a, r);
    if (!bidiagonal_svd(r, x, s, vh)) return false;
    if (vectors) {
        fill_identity(u);
        copy_matrix(x, u.block(0, 0, n, n));
        apply_q(a, tau.data(), u);
    }
    return true;
}

/// Divides a matrix by a power of two that brings its elements near 1, so that no square overflows or vanishes; gives
/// that.
template <class T>
real_t<T> scale_to_one(const matrix_span<T>& a) {
    real_t<T> largest = 0;
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t j = 0; j < a.columns; ++j) largest = std::max(largest, size_of(a(i, j)));
    if (!(largest > 0)) return 1;
    const auto factor = power_of_two_near(largest);
    for (index_t i = 0; i < a.rows; ++i) scale_row(a.columns, 1 / factor, a.row(i));
    return factor;
}

/// A = U diag(s) V^H of an m x n matrix with m >= n; s descending. u has n or m columns, vh is n x n; both are empty
/// where only s is wanted. A is overwritten. False when the iteration does not converge.
template <class T>
bool factor_tall_svd(const matrix_span<T>& a, const matrix_span<T>& u, real_t<T>* s, const matrix_span<T>& vh) {
    using R = real_t<T>;
    const index_t m = a.rows, n = a.columns;
    const R factor = scale_to_one(a);
    if (!(n <= jacobi_columns ? jacobi_svd(a, u, s, vh)
          : 2 * m > 3 * n     ? squared_svd(a, u, s, vh)
                              : bidiagonal_svd(a, u, s, vh)))
        return false;
    std::sort(s, s + n, [](R left_value, R right_value) { return left_value > right_value; });
    scale_row(n, factor, s);
    return true;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
