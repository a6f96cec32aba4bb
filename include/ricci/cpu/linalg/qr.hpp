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
    constexpr R least = std::numeric_limits<R>::min();
    const R squares = real_part(head) * real_part(head) + imaginary * imaginary + below * below;
    const R whole = squares > least / std::numeric_limits<R>::epsilon() && squares <= std::numeric_limits<R>::max()
                        ? std::sqrt(squares)
                        : std::hypot(std::hypot(real_part(head), imaginary), below);
    if (whole <
        least / std::numeric_limits<R>::epsilon()) {  // quotients of subnormal numbers would not make it unitary
        head /= least;
        divide_row(n, least, tail);
        const T tau = make_reflection(head, n, tail, beta);
        beta *= least;
        head = T(beta);
        return tau;
    }
    beta = real_part(head) > 0 ? -whole : whole;
    const T tau = (T(beta) - head) / beta;
    const T difference = head - T(beta);
    // a reciprocal would overflow for tiny columns
    divide_row(n, difference, tail);
    head = T(beta);
    return tau;
}

/// The first `steps` of a panel's columns: below the diagonal the vectors, on and above it R; tau of each. The others
/// follow. Its columns are worked on as the rows of `turned`, which are long.
template <class T>
void factor_panel(const matrix_span<T>& a, index_t steps, T* tau, T* turned) {
    const index_t m = a.rows, n = a.columns;
    copy_turned(m, n, a.data, a.step, turned, m);
    for (index_t k = 0; k < steps; ++k) {
        T* const v = turned + k * m + k;
        real_t<T> beta;
        tau[k] = make_reflection(v[0], m - k - 1, v + 1, beta);
        v[0] = T(1);
        for (index_t j = k + 1; j < n && tau[k] != T(0); ++j) {  // H^H x = x - conj(tau) v^H x v
            T* const x = turned + j * m + k;
            add_scaled(m - k, T(-times(conjugate(tau[k]), inner_product(m - k, v, x))), v, x);
        }
        v[0] = T(beta);
    }
    copy_turned(n, m, turned, m, a.data, a.step);
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

/// C becomes (I - V T V^H) C, or with `adjoint` (I - V T^H V^H) C, by one reflection of a panel after the other. Of C,
/// the first rows of the identity, Lower skips what stays zero.
template <bool Lower, class T>
void apply_reflections(const matrix_span<T>& panel, const T* tau, const matrix_span<T>& c, bool adjoint) {
    const matrix_buffer<T> products(1, c.columns);
    T* const p = products.data();
    for (index_t step = 0; step < panel.columns; ++step) {
        const index_t k = adjoint ? step : panel.columns - 1 - step, left = Lower ? k : 0, width = c.columns - left;
        T* const top = c.row(k) + left;
        std::copy(top, top + width, p);
        for (index_t i = k + 1; i < panel.rows; ++i) add_scaled(width, conjugate(panel(i, k)), c.row(i) + left, p);
        scale_row(width, adjoint ? conjugate(tau[k]) : tau[k], p);
        add_scaled(width, T(-1), p, top);
        for (index_t i = k + 1; i < panel.rows; ++i) add_scaled(width, T(-panel(i, k)), p, c.row(i) + left);
    }
}
/// Which of small matrices takes less time than products of them.
inline bool suits_reflections(index_t rows, index_t steps, index_t columns) {
    return rows <= qr_block && rows * steps * columns <= (index_t(1) << 15);
}

/// R on and above the diagonal, the vectors of the reflections below it; of the first `steps` columns, which the others
/// follow.
template <class T>
void factor_qr(const matrix_span<T>& a, T* tau, index_t steps) {
    constexpr index_t few = 8;  // columns that a panel has beside its own rather than a product
    const matrix_buffer<T> turned(std::min(a.columns, qr_block + few), a.rows);
    for (index_t k = 0; k < steps; k += qr_block) {
        const index_t width = std::min(qr_block, steps - k), rest = a.columns - k - width;
        const auto panel = a.block(k, k, a.rows - k, rest <= few ? width + rest : width);
        factor_panel(panel, width, tau + k, turned.data());
        if (rest > few) block_reflection<T>(panel, width, tau + k).apply(a.block(k, k + width, a.rows - k, rest), true);
    }
}
template <class T>
void factor_qr(const matrix_span<T>& a, T* tau) {
    factor_qr(a, tau, std::min(a.rows, a.columns));
}
/// B becomes Q^H B, with Q from what factor_qr left.
template <class T>
void apply_q_adjoint(const matrix_span<T>& a, const T* tau, const matrix_span<T>& b) {
    const index_t steps = std::min(a.rows, a.columns);
    if (suits_reflections(a.rows, steps, b.columns))
        return apply_reflections<false>(a.block(0, 0, a.rows, steps), tau, b, true);
    for (index_t k = 0; k < steps; k += qr_block) {
        const index_t width = std::min(qr_block, steps - k);
        block_reflection<T>(a.block(k, k, a.rows - k, width), width, tau + k)
            .apply(b.block(k, 0, a.rows - k, b.columns), true);
    }
}
/// B becomes Q B. Of B, the first rows of the identity, Lower skips what stays zero.
template <bool Lower = false, class T>
void apply_q(const matrix_span<T>& a, const T* tau, const matrix_span<T>& b) {
    const index_t steps = std::min(a.rows, a.columns);
    if (suits_reflections(a.rows, steps, b.columns))
        return apply_reflections<Lower>(a.block(0, 0, a.rows, steps), tau, b, false);
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
/// n - 1 reflections, the k-th with its vector in row k of an n x n matrix from column k + 1 on, as factor_qr leaves
/// them.
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
