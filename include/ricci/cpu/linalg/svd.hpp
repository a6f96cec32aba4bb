// Singular values and vectors by one-sided Jacobi rotations, which find small ones as exactly as the matrix
// determines them.
#pragma once
#include "qr.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

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

/// A = U diag(s) V^H of an m x n matrix with m >= n; s descending. u has n or m columns, vh is n x n; both are empty
/// where only s is wanted. A is overwritten. False when the iteration does not converge.
template <class T>
bool factor_tall_svd(const matrix_span<T>& a, const matrix_span<T>& u, real_t<T>* s, const matrix_span<T>& vh) {
    using R = real_t<T>;
    const index_t m = a.rows, n = a.columns;
    const bool vectors = u.rows > 0 || vh.rows > 0;
    R largest = 0;
    for (index_t i = 0; i < m; ++i)
        for (index_t j = 0; j < n; ++j) largest = std::max(largest, size_of(a(i, j)));
    R factor = 1;
    if (largest > 0) {  // near 1, so that no square overflows or vanishes
        factor = power_of_two_near(largest);
        for (index_t i = 0; i < m; ++i) scale_row(n, 1 / factor, a.row(i));
    }
    const matrix_buffer<T> tau(1, n), rows(n, n), right(vectors ? n : 0, n);
    // The rows that are made orthogonal are those of R, not its columns, which takes fewer sweeps (Drmac and Veselic
    // 2008): R = W^T with R^H = V S X^H, so that A = Q R = (Q X) S V^H.
    factor_qr(a, tau.data());
    const auto w = rows.span(), x = right.span();
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) w(i, j) = j >= i ? a(i, j) : T(0);
    if (vectors) fill_identity(x);
    if (!orthogonalize_rows(w, x)) return false;
    index_t rank = 0;
    const matrix_buffer<index_t> order(1, n);
    for (index_t i = 0; i < n; ++i) {
        order.data()[i] = i;
        s[i] = length_of(n, w.row(i));
    }
    std::sort(order.data(), order.data() + n, [&](index_t i, index_t j) { return s[i] != s[j] ? s[i] > s[j] : i < j; });
    if (vectors) {
        const matrix_buffer<T> columns(n, n);
        const auto v = columns.span();  // V^H's rows as columns, to be completed where s is 0
        const matrix_buffer<T> inner(m, n);
        const auto z = inner.span();
        for (index_t i = n; i < m; ++i) std::fill(z.row(i), z.row(i) + n, T(0));
        for (index_t k = 0; k < n; ++k) {
            const index_t from = order.data()[k];
            const bool positive = s[from] > std::sqrt(std::numeric_limits<R>::min());  // others were not turned
            if (positive) rank = k + 1;
            for (index_t j = 0; j < n; ++j) {
                v(j, k) = positive ? conjugate(w(from, j)) / s[from] : T(0);
                z(j, k) = conjugate(x(from, j));
            }
        }
        complete_basis(v, rank);
        copy_adjoint(v, vh);
        // U = Q [X 0; 0 I]
        for (index_t i = 0; i < m; ++i)
            for (index_t j = 0; j < u.columns; ++j) u(i, j) = j < n ? z(i, j) : T(i == j ? 1 : 0);
        apply_q(a, tau.data(), u);
    }
    std::sort(s, s + n, [](R p, R q) { return p > q; });
    for (index_t i = 0; i < n; ++i) s[i] *= factor;
    return true;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
