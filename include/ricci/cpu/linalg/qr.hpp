// QR factorization by Householder reflections, in blocks.
#pragma once
#include "matrix.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// H = I - tau v v^H with v(0) = 1 and H^H x = (beta, 0, ...), beta real (LAPACK's larfg). x(1), ... become v's;
/// gives tau.
template <class T>
T make_reflection(T& head, index_t n, T* tail, real_t<T>& beta) {
    using R = real_t<T>;
    const R below = length_of(n, tail);
    const auto imaginary = [&] {
        if constexpr (is_complex_v<T>) return head.imag();
        else return R(0);
    }();
    if (below == 0 && imaginary == 0) {
        beta = real_part(head);
        return T(0);
    }
    const R whole = std::hypot(std::hypot(real_part(head), imaginary), below);
    constexpr R least = std::numeric_limits<R>::min();
    if (whole <
        least / std::numeric_limits<R>::epsilon()) {  // quotients of subnormal numbers would not make it unitary
        head /= least;
        for (index_t i = 0; i < n; ++i) tail[i] /= least;
        const T tau = make_reflection(head, n, tail, beta);
        beta *= least;
        head = T(beta);
        return tau;
    }
    beta = real_part(head) > 0 ? -whole : whole;
    const T tau = (T(beta) - head) / beta;
    const T difference = head - T(beta);
    // a reciprocal would overflow for tiny columns
    for (index_t i = 0; i < n; ++i) tail[i] /= difference;
    head = T(beta);
    return tau;
}

/// A panel of columns: below the diagonal the vectors, on and above it R; tau of each.
template <class T>
void factor_panel(const matrix_span<T>& a, T* tau, T* column, T* row) {
    const index_t steps = std::min(a.rows, a.columns);
    for (index_t k = 0; k < steps; ++k) {
        const index_t below = a.rows - k - 1, right = a.columns - k - 1;
        for (index_t i = 0; i < below; ++i) column[i] = a(k + 1 + i, k);
        real_t<T> beta;
        tau[k] = make_reflection(a(k, k), below, column, beta);
        a(k, k) = T(beta);
        for (index_t i = 0; i < below; ++i) a(k + 1 + i, k) = column[i];
        if (tau[k] == T(0) || right == 0) continue;
        // the rest of the panel becomes H^H of it: row = v^H A, A -= conj(tau) v row
        T* const top = a.row(k) + k + 1;
        std::copy(top, top + right, row);
        for (index_t i = 0; i < below; ++i) add_scaled(right, conjugate(column[i]), a.row(k + 1 + i) + k + 1, row);
        scale_row(right, conjugate(tau[k]), row);
        add_scaled(right, T(-1), row, top);
        for (index_t i = 0; i < below; ++i) add_scaled(right, T(-column[i]), row, a.row(k + 1 + i) + k + 1);
    }
}

/// The reflections of a panel as I - V T V^H (Schreiber and van Loan 1989).
template <class T>
struct block_reflection {
    matrix_buffer<T> v, v_adjoint, t;

    block_reflection(const matrix_span<T>& panel, index_t count, const T* tau)
        : v(panel.rows, count), v_adjoint(count, panel.rows), t(count, count) {
        const auto vs = v.span(), ts = t.span();
        for (index_t i = 0; i < panel.rows; ++i)
            for (index_t j = 0; j < count; ++j) vs(i, j) = i > j ? panel(i, j) : T(i == j ? 1 : 0);
        copy_adjoint(vs, v_adjoint.span());
        const matrix_buffer<T> products(count, count);
        multiply(v_adjoint.span(), vs, products.span());
        const auto p = products.span();
        for (index_t j = 0; j < count; ++j) {
            for (index_t i = 0; i < count; ++i) ts(i, j) = T(0);
            ts(j, j) = tau[j];
            for (index_t i = 0; i < j; ++i) {
                T sum(0);
                for (index_t k = i; k < j; ++k) sum += times(ts(i, k), p(k, j));
                ts(i, j) = -times(tau[j], sum);
            }
        }
    }
    /// C becomes (I - V T V^H) C, or with `adjoint` (I - V T^H V^H) C.
    void apply(const matrix_span<T>& c, bool adjoint) const {
        if (c.columns == 0) return;
        const index_t k = t.span().rows;
        const matrix_buffer<T> inner(k, c.columns), scaled(k, c.columns), t_adjoint(k, k);
        multiply(v_adjoint.span(), c, inner.span());
        if (adjoint) copy_adjoint(t.span(), t_adjoint.span());
        multiply(adjoint ? t_adjoint.span() : t.span(), inner.span(), scaled.span());
        subtract_product(c, v.span(), scaled.span());
    }
};

inline constexpr index_t qr_block = 32;

/// R on and above the diagonal, the vectors of the reflections below it.
template <class T>
void factor_qr(const matrix_span<T>& a, T* tau) {
    const index_t steps = std::min(a.rows, a.columns);
    const matrix_buffer<T> scratch(2, std::max(a.rows, a.columns));
    for (index_t k = 0; k < steps; k += qr_block) {
        const index_t width = std::min(qr_block, steps - k);
        const auto panel = a.block(k, k, a.rows - k, width);
        factor_panel(panel, tau + k, scratch.span().row(0), scratch.span().row(1));
        if (k + width < a.columns)
            block_reflection<T>(panel, width, tau + k)
                .apply(a.block(k, k + width, a.rows - k, a.columns - k - width), true);
    }
}
/// B becomes Q B, with Q from what factor_qr left. Of B, the first rows of the identity, Lower skips what stays zero.
template <bool Lower = false, class T>
void apply_q(const matrix_span<T>& a, const T* tau, const matrix_span<T>& b) {
    const index_t steps = std::min(a.rows, a.columns);
    for (index_t k = (steps - 1) / qr_block * qr_block; k >= 0 && steps > 0; k -= qr_block) {
        const index_t width = std::min(qr_block, steps - k), left = Lower ? k : 0;
        block_reflection<T>(a.block(k, k, a.rows - k, width), width, tau + k)
            .apply(b.block(k, left, a.rows - k, b.columns - left), false);
    }
}
/// The first columns of Q, as many as q has.
template <class T>
void form_q(const matrix_span<T>& a, const T* tau, const matrix_span<T>& q) {
    fill_identity(q);
    apply_q<true>(a, tau, q);
}

/// R of what factor_qr left, zeros below its diagonal.
template <class T>
void copy_upper(const matrix_span<T>& a, const matrix_span<T>& r) {
    for (index_t i = 0; i < r.rows; ++i)
        for (index_t j = 0; j < r.columns; ++j) r(i, j) = j >= i ? a(i, j) : T(0);
}
/// n - 1 reflections, the k-th with its vector in row k of an n x n matrix from column k + 1 on, as factor_qr leaves them.
template <class T>
matrix_buffer<T> reflections_of_rows(const matrix_span<T>& rows) {
    const index_t n = rows.rows - 1;
    matrix_buffer<T> columns(n, n);
    const auto below = columns.span();
    for (index_t k = 0; k < n; ++k)
        for (index_t i = k + 1; i < n; ++i) below(i, k) = rows(k, i + 1);
    return columns;
}
/// Their product Q, but for its first row and column, which are the identity's.
template <class T>
matrix_buffer<T> q_of_rows(const matrix_span<T>& rows, const T* tau) {
    matrix_buffer<T> q(rows.rows - 1, rows.rows - 1);
    form_q(reflections_of_rows(rows).span(), tau, q.span());
    return q;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
