// Eigenvalues and eigenvectors of Hermitian matrices: reduction to a tridiagonal matrix, then implicit QL steps or, for the vectors
// of large matrices, divide and conquer.
#pragma once
#include "divide.hpp"
#include "qr.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Matrices of fewer rows are left to QL steps.
inline constexpr index_t divided_rows = 100;

/// A = Q T Q^H with T real and tridiagonal, d on its diagonal and e beside it, of a Hermitian A that is stored whole.
/// The reflections' vectors take the place of A's rows (v(1), ... of the k-th in row k from column k + 2), tau their
/// factors. One pass over what is left of A for each: the first row, which has the next vector, goes ahead.
template <class T>
void reduce_to_tridiagonal(const matrix_span<T>& a, real_t<T>* d, real_t<T>* e, T* tau) {
    const index_t n = a.rows;
    const matrix_buffer<T> scratch(6, n);
    const auto rows = scratch.span();
    T *v = rows.row(0), *next_v = rows.row(1), *x = rows.row(2), *next_x = rows.row(3);
    T *const v_bar = rows.row(4), *const w_bar = rows.row(5);
    const auto reflect = [&](index_t k,
                             T* to) {  // the column below the diagonal becomes the vector of the k-th reflection
        const index_t m = n - k - 1;
        d[k] = real_part(a(k, k));
        for (index_t i = 0; i < m; ++i) to[i] = conjugate(a(k, k + 1 + i));
        tau[k] = make_reflection(to[0], m - 1, to + 1, e[k]);
        to[0] = T(1);
        std::copy(to, to + m, a.row(k) + k + 1);
    };
    if (n > 1) {
        reflect(0, v);
        for (index_t i = 0; i + 1 < n; ++i) x[i] = dot_product(n - 1, a.row(1 + i) + 1, v);
    }
    for (index_t k = 0; k + 1 < n; ++k) {
        // A becomes H^H A H = A - v w^H - w v^H, w = tau x - (conj(tau) x^H v / 2) v with x = A v
        const index_t m = n - k - 1;
        scale_row(m, tau[k], x);
        add_scaled(m, T(-times(tau[k], inner_product(m, x, v)) / real_t<T>(2)), v, x);
        for (index_t i = 0; i < m; ++i) v_bar[i] = conjugate(v[i]);
        for (index_t i = 0; i < m; ++i) w_bar[i] = conjugate(x[i]);
        const auto rest = a.block(k + 1, k + 1, m, m);
        add_scaled(m, T(-v[0]), w_bar, rest.row(0));
        add_scaled(m, T(-x[0]), v_bar, rest.row(0));
        if (m == 1) break;
        reflect(k + 1, next_v);
        for (index_t i = 1; i < m; ++i) {
            add_scaled(m - 1, T(-v[i]), w_bar + 1, rest.row(i) + 1);
            next_x[i - 1] = add_scaled_and_dot(m - 1, T(-x[i]), v_bar + 1, rest.row(i) + 1, next_v);
        }
        std::swap(v, next_v);
        std::swap(x, next_x);
    }
    if (n > 0) d[n - 1] = real_part(a(n - 1, n - 1));
}

/// Column j of a becomes row order(j) of z, the vector of the j-th of w's elements in ascending order.
template <class T, class Z>
void place_vectors(const matrix_span<Z>& z, const real_t<T>* w, const matrix_span<T>& a) {
    const index_t n = a.rows;
    const matrix_buffer<index_t> places(1, n);
    index_t* const order = places.data();
    for (index_t i = 0; i < n; ++i) order[i] = i;
    std::sort(order, order + n, [&](index_t i, index_t j) { return w[i] != w[j] ? w[i] < w[j] : i < j; });
    constexpr index_t tile = 16;
    for (index_t j0 = 0; j0 < n; j0 += tile)
        for (index_t i = 0; i < n; ++i)
            for (index_t j = j0; j < std::min(n, j0 + tile); ++j) a(i, j) = T(z(order[j], i));
}
/// The eigenvectors of Q T Q^H, as reduce_to_tridiagonal leaves it, become the columns of a: those of the identity, turned by Q and
/// then by the steps that make T diagonal.
template <class T>
bool rotated_vectors(const matrix_span<T>& a, real_t<T>* d, real_t<T>* e, const T* tau) {
    const index_t n = a.rows;
    const matrix_buffer<T> turned(n, n);
    const auto z = turned.span();
    if (n > 0) {  // the columns of Q, the identity in its first row and column, as rows
        const auto q = q_of_rows(a, tau);
        fill_identity(z);
        copy_turned(n - 1, n - 1, q.data(), n - 1, z.data + n + 1, z.step);
    }
    if (!tridiagonal_ql<T>(n, d, e, z).run()) return false;
    place_vectors(z, d, a);
    return true;
}
/// The same by those of T, turned by Q.
template <class T>
bool divided_vectors(const matrix_span<T>& a, real_t<T>* d, real_t<T>* e, const T* tau) {
    const index_t n = a.rows;
    const matrix_buffer<real_t<T>> of_t(n, n);
    if (!tridiagonal_halves<real_t<T>>(n, d, e, of_t.span()).run()) return false;
    const auto reflections = reflections_of_rows(a);
    place_vectors(of_t.span(), d, a);
    apply_q(reflections.span(), tau, a.block(1, 0, n - 1, n));
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
    const matrix_buffer<T> tau(1, n);
    const matrix_buffer<R> beside(1, n);
    reduce_to_tridiagonal(a, w, beside.data(), tau.data());
    if (!(!vectors           ? tridiagonal_ql<T>(n, w, beside.data(), matrix_span<T>{}).run()
          : n < divided_rows ? rotated_vectors(a, w, beside.data(), tau.data())
                             : divided_vectors(a, w, beside.data(), tau.data())))
        return false;
    std::sort(w, w + n);
    scale_row(n, factor, w);
    return true;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
