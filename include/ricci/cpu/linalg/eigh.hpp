// Eigenvalues and eigenvectors of Hermitian matrices: reduction to a tridiagonal matrix, then implicit QL steps or, for
// the vectors of large matrices, divide and conquer.
#pragma once
#include "divide.hpp"
#include "qr.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Matrices of fewer rows are left to QL steps.
inline constexpr index_t divided_rows = 100;

/// x = A v for the Hermitian A of which the lower triangle is read, once.
template <class T>
void multiply_hermitian(const matrix_span<T>& a, const T* v, T* x) {
    const index_t n = a.rows;
    std::fill(x, x + n, T(0));
    index_t i = 0;
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<T>) {
        using lane = simd<T>;
        constexpr int together = 4;
        for (; i + together <= n; i += together) {
            lane sum[together], factor[together];
            const T* row[together];
            RICCI_UNROLL
            for (int r = 0; r < together; ++r) {
                sum[r] = lane(T(0));
                factor[r] = lane(v[i + r]);
                row[r] = a.row(i + r);
            }
            index_t j = 0;
            for (; j + lane::lanes <= i; j += lane::lanes) {
                const lane beside = lane::load(v + j);
                lane below = lane::load(x + j);
                RICCI_UNROLL
                for (int r = 0; r < together; ++r) {
                    const lane element = lane::load(row[r] + j);
                    sum[r] = math::fma(element, beside, sum[r]);
                    below = math::fma(element, factor[r], below);
                }
                below.store(x + j);
            }
            for (int r = 0; r < together; ++r) {
                T rest = reduce_add(sum[r]);
                for (index_t k = j; k < i + r; ++k) {
                    rest += row[r][k] * v[k];
                    x[k] += row[r][k] * v[i + r];
                }
                x[i + r] += rest + row[r][i + r] * v[i + r];
            }
        }
    }
#endif
    for (; i < n; ++i) {
        const T* const row = a.row(i);
        T sum = times(T(real_part(row[i])), v[i]);
        for (index_t j = 0; j < i; ++j) {
            sum += times(row[j], v[j]);
            x[j] += times(conjugate(row[j]), v[i]);
        }
        x[i] += sum;
    }
}

/// A = Q T Q^H with T real and tridiagonal, d on its diagonal and e beside it, of a Hermitian A of which the lower
/// triangle is read. The reflections' vectors take the place of A's rows (v(0) = 1, v(1), ... of the k-th in row k from
/// column k + 1 on), tau their factors. Those of a panel of columns change the rest of A together, by a product of
/// matrices (Dongarra, Sorensen and Hammarling 1989).
template <class T>
class tridiagonal_reduction {
    using R = real_t<T>;
    static constexpr index_t panel = 32;

   public:
    tridiagonal_reduction(const matrix_span<T>& a, R* d, R* e, T* tau)
        : a_(a),
          d_(d),
          e_(e),
          tau_(tau),
          pairs_(2 * panel, a.rows),
          adjoints_(2 * panel, a.rows),
          columns_(1, a.rows) {}

    void run() {
        const index_t most = a_.rows <= panel ? 1 : panel;  // small matrices stay in the cache
        for (index_t k = 0; k < a_.rows; k += most) {
            const index_t width = std::min(most, a_.rows - k);
            for (index_t p = 0; p < width; ++p) reduce_column(k, p);
            update(k + width, width);
        }
    }

   private:
    T* v(index_t p) const { return pairs_.span().row(2 * p); }
    T* w(index_t p) const { return pairs_.span().row(2 * p + 1); }

    /// Column `first` + p, to which the p reflections of the panel so far are applied first.
    void reduce_column(index_t first, index_t p) {
        const index_t k = first + p, n = a_.rows, m = n - k - 1;
        T* const column = columns_.data();
        for (index_t i = k; i < n; ++i) column[i] = a_(i, k);
        for (index_t q = 0; q < p; ++q) {
            add_scaled(n - k, T(-conjugate(w(q)[k])), v(q) + k, column + k);
            add_scaled(n - k, T(-conjugate(v(q)[k])), w(q) + k, column + k);
        }
        d_[k] = real_part(column[k]);
        if (m == 0) return;
        T *const to = v(p) + k + 1, *const x = w(p) + k + 1;
        tau_[k] = make_reflection(column[k + 1], m - 1, column + k + 2, e_[k]);
        column[k + 1] = T(1);
        std::copy(column + k + 1, column + n, to);
        std::copy(to, to + m, a_.row(k) + k + 1);
        // A becomes H^H A H = A - v w^H - w v^H, w = tau x - (conj(tau) x^H v / 2) v with x = A v
        multiply_hermitian(a_.block(k + 1, k + 1, m, m), to, x);
        for (index_t q = 0; q < p; ++q) {
            const T *const old_v = v(q) + k + 1, *const old_w = w(q) + k + 1;
            const T of_w = inner_product(m, old_w, to), of_v = inner_product(m, old_v, to);
            add_scaled(m, T(-of_w), old_v, x);
            add_scaled(m, T(-of_v), old_w, x);
        }
        scale_row(m, tau_[k], x);
        add_scaled(m, T(-times(tau_[k], inner_product(m, x, to)) / R(2)), to, x);
    }
    /// The lower triangle from row and column `first` on, after a panel.
    void update(index_t first, index_t width) {
        const index_t n = a_.rows;
        const auto of = pairs_.span(), by = adjoints_.span();
        for (index_t p = 0; p < width; ++p)
            for (index_t i = first; i < n; ++i) {
                by(2 * p, i) = conjugate(w(p)[i]);
                by(2 * p + 1, i) = conjugate(v(p)[i]);
            }
        constexpr index_t rows = 64;
        for (index_t i = first; i < n; i += rows) {
            const index_t some = std::min(rows, n - i);
            subtract_product(a_.block(i, first, some, i + some - first), 2 * width, of.data + i, 1, of.step,
                             by.data + first, by.step, 1);
        }
    }

    matrix_span<T> a_;
    R *d_, *e_;
    T* tau_;
    matrix_buffer<T> pairs_, adjoints_, columns_;
};

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
/// The eigenvectors of Q T Q^H, as tridiagonal_reduction leaves it, become the columns of a: those of the identity,
/// turned by Q and then by the steps that make T diagonal.
template <class T>
bool rotated_vectors(const matrix_span<T>& a, real_t<T>* d, real_t<T>* e, const T* tau) {
    const index_t n = a.rows, lanes = row_lanes<T>();
    // rotations of whole registers are the faster ones
    const matrix_buffer<T> turned(n, (n + lanes - 1) / lanes * lanes);
    const auto z = turned.span();
    if (n > 0) {  // the columns of Q, the identity in its first row and column, as rows
        const auto q = q_of_rows(a, tau);
        fill_identity(z);
        copy_turned(n - 1, n - 1, q.data(), n - 1, z.data + z.step + 1, z.step);
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
        for (index_t j = 0; j <= i; ++j) largest = std::max(largest, size_of(a(i, j)));
    }
    // the squares of the elements must neither overflow nor vanish
    const R small = std::sqrt(std::numeric_limits<R>::min()) / std::numeric_limits<R>::epsilon();
    R factor = 1;
    if (largest > 0 && (largest < small || largest > 1 / small)) {
        factor = power_of_two_near(largest);
        for (index_t i = 0; i < n; ++i) scale_row(i + 1, 1 / factor, a.row(i));
    }
    const matrix_buffer<T> tau(1, n);
    const matrix_buffer<R> beside(1, n);
    tridiagonal_reduction<T>(a, w, beside.data(), tau.data()).run();
    if (!(!vectors           ? tridiagonal_values<R>(n, w, beside.data()).run()
          : n < divided_rows ? rotated_vectors(a, w, beside.data(), tau.data())
                             : divided_vectors(a, w, beside.data(), tau.data())))
        return false;
    std::sort(w, w + n);
    scale_row(n, factor, w);
    return true;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
