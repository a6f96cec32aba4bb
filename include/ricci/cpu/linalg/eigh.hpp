// Eigenvalues and eigenvectors of Hermitian matrices: reduction to a tridiagonal matrix, then implicit QL steps.
#pragma once
#include "qr.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// A = Q T Q^H with T real and tridiagonal, d on its diagonal and e beside it, of a Hermitian A that is stored whole.
/// The reflections' vectors take the place of A's rows (v(1), ... of the k-th in row k from column k + 2), tau their
/// factors.
template <class T>
void reduce_to_tridiagonal(const matrix_span<T>& a, real_t<T>* d, real_t<T>* e, T* tau) {
    const index_t n = a.rows;
    const matrix_buffer<T> scratch(4, n);
    T *const v = scratch.span().row(0), *const w = scratch.span().row(1);
    T *const v_bar = scratch.span().row(2), *const w_bar = scratch.span().row(3);
    for (index_t k = 0; k + 1 < n; ++k) {
        const index_t m = n - k - 1;
        d[k] = real_part(a(k, k));
        for (index_t i = 0; i < m; ++i) v[i] = conjugate(a(k, k + 1 + i));  // the column below the diagonal
        tau[k] = make_reflection(v[0], m - 1, v + 1, e[k]);
        v[0] = T(1);
        std::copy(v, v + m, a.row(k) + k + 1);
        if (tau[k] == T(0)) continue;
        // A becomes H^H A H = A - v w^H - w v^H, w = x - (conj(tau) x^H v / 2) v with x = tau A v
        const auto rest = a.block(k + 1, k + 1, m, m);
        for (index_t i = 0; i < m; ++i) v_bar[i] = conjugate(v[i]);
        for (index_t i = 0; i < m; ++i) w[i] = times(tau[k], dot_product(m, rest.row(i), v));
        const T half = times(tau[k], inner_product(m, w, v)) / real_t<T>(2);
        add_scaled(m, T(-half), v, w);
        for (index_t i = 0; i < m; ++i) w_bar[i] = conjugate(w[i]);
        for (index_t i = 0; i < m; ++i) {
            add_scaled(m, T(-v[i]), w_bar, rest.row(i));
            add_scaled(m, T(-w[i]), v_bar, rest.row(i));
        }
    }
    if (n > 0) d[n - 1] = real_part(a(n - 1, n - 1));
}
/// Q of reduce_to_tridiagonal.
template <class T>
void form_tridiagonal_q(const matrix_span<T>& a, const T* tau, const matrix_span<T>& q) {
    const index_t n = a.rows;
    const matrix_buffer<T> scratch(1, n);
    T* const row = scratch.data();
    fill_identity(q);
    for (index_t k = n - 2; k >= 0; --k) {
        if (tau[k] == T(0)) continue;
        const index_t m = n - k - 1;
        const T* const v = a.row(k) + k + 1;
        const auto rest = q.block(k + 1, k + 1, m, m);
        std::fill(row, row + m, T(0));
        for (index_t i = 0; i < m; ++i) add_scaled(m, conjugate(v[i]), rest.row(i), row);
        scale_row(m, tau[k], row);
        for (index_t i = 0; i < m; ++i) add_scaled(m, T(-v[i]), row, rest.row(i));
    }
}

/// The eigenvalues of the tridiagonal matrix (d, e) in d; the rows of z, unless it is empty, are rotated along. False
/// when an eigenvalue takes more than 80 steps. (Dubrulle, Martin and Wilkinson 1968.)
template <class T, class R>
bool tridiagonal_ql(index_t n, R* d, R* e, const matrix_span<T>& z) {
    constexpr R eps = std::numeric_limits<R>::epsilon();
    if (n > 0) e[n - 1] = 0;
    for (index_t l = 0; l < n; ++l) {
        for (int step = 0;; ++step) {
            index_t m = l;
            for (; m + 1 < n; ++m)
                if (std::abs(e[m]) <= eps * std::sqrt(std::abs(d[m])) * std::sqrt(std::abs(d[m + 1])) ||
                    std::abs(e[m]) < std::numeric_limits<R>::min())
                    break;
            if (m == l) break;
            if (step == 80) return false;
            R g = (d[l + 1] - d[l]) / (2 * e[l]);
            g = d[m] - d[l] + e[l] / (g + std::copysign(std::hypot(g, R(1)), g));
            R s = 1, c = 1, p = 0;
            index_t i = m - 1;
            for (; i >= l; --i) {
                const R f = s * e[i], b = c * e[i];
                const R r = std::hypot(f, g);
                e[i + 1] = r;
                if (r == 0) {  // the matrix splits here
                    d[i + 1] -= p;
                    e[m] = 0;
                    break;
                }
                s = f / r;
                c = g / r;
                const R h = d[i + 1] - p, t = (d[i] - h) * s + 2 * c * b;
                p = s * t;
                d[i + 1] = h + p;
                g = c * t - b;
                if (z.rows > 0) rotate_rows<T, R>(z.columns, c, s, z.row(i), z.row(i + 1));
            }
            if (i >= l) continue;
            d[l] -= p;
            e[l] = g;
            e[m] = 0;
        }
    }
    return true;
}

/// The eigenvalues of a Hermitian matrix, of which the lower triangle is read, in ascending order, and, with
/// `vectors`, an orthonormal basis of eigenvectors as the columns of a. False when the iteration does not converge.
template <class T>
bool factor_eigh(const matrix_span<T>& a, real_t<T>* w, bool vectors) {
    using R = real_t<T>;
    const index_t n = a.rows;
    R largest = 0;
    for (index_t i = 0; i < n; ++i) {
        a(i, i) = T(real_part(a(i, i)));
        for (index_t j = 0; j < i; ++j) a(j, i) = conjugate(a(i, j));
        for (index_t j = 0; j <= i; ++j) largest = std::max(largest, size_of(a(i, j)));
    }
    // the squares of the elements must neither overflow nor vanish
    const R small = std::sqrt(std::numeric_limits<R>::min()) / std::numeric_limits<R>::epsilon();
    R factor = 1;
    if (largest > 0 && (largest < small || largest > 1 / small)) {
        factor = power_of_two_near(largest);
        for (index_t i = 0; i < n; ++i) scale_row(n, 1 / factor, a.row(i));
    }
    const matrix_buffer<T> tau(1, n), turned(vectors ? n : 0, n);
    const matrix_buffer<R> beside(1, n);
    reduce_to_tridiagonal(a, w, beside.data(), tau.data());
    auto z = turned.span();
    if (vectors) {
        const matrix_buffer<T> q(n, n);
        form_tridiagonal_q(a, tau.data(), q.span());
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) z(j, i) = q.span()(i, j);
    }
    if (!tridiagonal_ql(n, w, beside.data(), z)) return false;
    const matrix_buffer<index_t> order(1, n);
    for (index_t i = 0; i < n; ++i) order.data()[i] = i;
    std::sort(order.data(), order.data() + n, [&](index_t i, index_t j) { return w[i] != w[j] ? w[i] < w[j] : i < j; });
    if (vectors)
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) a(i, j) = z(order.data()[j], i);
    std::sort(w, w + n);
    scale_row(n, factor, w);
    return true;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
