// Eigenvalues and eigenvectors of Hermitian matrices: reduction to a tridiagonal matrix, then implicit QL steps.
#pragma once
#include "qr.hpp"
#include "rotations.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

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

/// The eigenvalues of a tridiagonal matrix by implicit QL steps (Dubrulle, Martin and Wilkinson 1968), which need small elements
/// before large ones: blocks that begin with a larger one than they end with are read from their end.
template <class T>
class tridiagonal_ql {
    using R = real_t<T>;

   public:
    /// The rows of z, unless it is empty, are rotated along.
    tridiagonal_ql(index_t n, R* d, R* e, const matrix_span<T>& z) : n_(n), d_(d), e_(e), rotations_(z) {}

    /// The values come to d, in no order. False when one takes more than 80 steps.
    bool run() {
        for (first_ = 0; first_ < n_; first_ = last_ + 1) {
            for (last_ = first_; last_ + 1 < n_ && !is_negligible(last_);) ++last_;
            backward_ = std::abs(d_[last_]) < std::abs(d_[first_]);
            int steps = 0;
            for (index_t l = first_; l < last_;) {
                index_t m = l;
                while (m < last_ && !is_negligible(backward_ ? first_ + last_ - 1 - m : m)) ++m;
                if (m == l) {
                    ++l;
                    steps = 0;
                } else if (steps++ == 80) {
                    return false;
                } else {
                    step(l, m);
                }
            }
        }
        rotations_.apply();
        return true;
    }

   private:
    // of a matrix whose largest element's square is a normal number far from its end: rotations of less would be inexact
    static inline const R tiny = std::sqrt(std::numeric_limits<R>::min());

    /// Elements as the block is read.
    R& diagonal(index_t i) { return d_[backward_ ? first_ + last_ - i : i]; }
    R& beside(index_t i) { return e_[backward_ ? first_ + last_ - 1 - i : i]; }
    bool is_negligible(index_t i) const {
        return std::abs(e_[i]) <=
                   std::numeric_limits<R>::epsilon() * std::sqrt(std::abs(d_[i])) * std::sqrt(std::abs(d_[i + 1])) ||
               std::abs(e_[i]) < tiny;
    }
    static R length(R f, R g) {
        const R squares = f * f + g * g;
        return squares > std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon() ? std::sqrt(squares)
                                                                                           : std::hypot(f, g);
    }
    void step(index_t l, index_t m) {
        R g = (diagonal(l + 1) - diagonal(l)) / (2 * beside(l));
        g = diagonal(m) - diagonal(l) + beside(l) / (g + std::copysign(std::hypot(g, R(1)), g));
        R s = 1, c = 1, p = 0;
        rotations_.begin(backward_ ? first_ + last_ - m : m, m - l, !backward_);
        for (index_t i = m - 1; i >= l; --i) {
            const R f = s * beside(i), b = c * beside(i), r = length(f, g);
            if (i + 1 < m) beside(i + 1) = r;
            if (r == 0) {  // the matrix splits here
                diagonal(i + 1) -= p;
                if (m < last_) beside(m) = 0;
                return rotations_.end_after(m - 1 - i);
            }
            s = f / r;
            c = g / r;
            const R h = diagonal(i + 1) - p, t = (diagonal(i) - h) * s + 2 * c * b;
            p = s * t;
            diagonal(i + 1) = h + p;
            g = c * t - b;
            rotations_.add(c, backward_ ? -s : s);
        }
        diagonal(l) -= p;
        beside(l) = g;
        if (m < last_) beside(m) = 0;
    }

    index_t n_;
    R *d_, *e_;
    pending_rotations<T> rotations_;
    index_t first_ = 0, last_ = 0;
    bool backward_ = false;
};

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
    const auto z = turned.span();
    reduce_to_tridiagonal(a, w, beside.data(), tau.data());
    if (vectors && n > 0) {  // the columns of Q, the identity in its first row and column, as rows
        const auto q = q_of_rows(a, tau.data());
        fill_identity(z);
        copy_turned(n - 1, n - 1, q.data(), n - 1, z.data + n + 1, z.step);
    }
    if (!tridiagonal_ql<T>(n, w, beside.data(), z).run()) return false;
    const matrix_buffer<index_t> order(1, n);
    for (index_t i = 0; i < n; ++i) order.data()[i] = i;
    std::sort(order.data(), order.data() + n, [&](index_t i, index_t j) { return w[i] != w[j] ? w[i] < w[j] : i < j; });
    if (vectors)
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < n; ++i) a(i, j) = z(order.data()[j], i);
    std::sort(w, w + n);
    scale_row(n, factor, w);
    return true;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
