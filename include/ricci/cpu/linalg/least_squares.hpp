// Least squares by way of a bidiagonal matrix: right sides go through the reflections, and vectors are found only of
// matrices that lack rank.
#pragma once
#include "svd.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Systems with an upper bidiagonal matrix B or its transpose: the shortest among the solutions with the least error.
template <class R>
class bidiagonal_system {
   public:
    /// d and e are those of B, and stay where they are.
    bidiagonal_system(index_t n, const R* d, const R* e) : n_(n), d_(d), e_(e) {}

    /// The singular values, descending; those up to `relative` times the largest count as 0. False when they do not
    /// converge.
    bool factor(R* s, R relative) {
        const matrix_buffer<R> beside(1, n_);
        std::copy(d_, d_ + n_, s);
        std::copy(e_, e_ + n_, beside.data());
        if (!bidiagonal_qr<R>(n_, s, beside.data(), {}, {}).run()) return false;
        std::sort(s, s + n_, [](R x, R y) { return x > y; });
        while (rank_ < n_ && s[rank_] > relative * s[0]) ++rank_;
        return rank_ == n_ || find_vectors(beside.data());
    }
    /// c becomes B^+ c, or with `transposed` (B^T)^+ c.
    void solve(const matrix_span<R>& c, bool transposed) const {
        if (rank_ < n_) return solve_deficient(c, transposed);
        for (index_t k = 0; k < n_; ++k) {
            const index_t i = transposed ? k : n_ - 1 - k, known = transposed ? i - 1 : i + 1;
            if (k > 0) add_scaled(c.columns, -e_[transposed ? known : i], c.row(known), c.row(i));
            divide_row(c.columns, d_[i], c.row(i));
        }
    }

   private:
    bool find_vectors(R* beside) {
        const matrix_buffer<R> diagonal(1, n_), left(n_, n_), right(n_, n_);
        R* const d = diagonal.data();
        std::copy(d_, d_ + n_, d);
        std::copy(e_, e_ + n_, beside);
        const auto u = left.span(), v = right.span();
        if (n_ <= undivided_columns) {
            fill_identity(u);
            fill_identity(v);
            if (!bidiagonal_qr<R>(n_, d, beside, u, v).run()) return false;
        } else if (!bidiagonal_halves<R>(n_, d, beside, u, v).run()) {
            return false;
        }
        const auto order = descending_order(n_, d);
        left_ = matrix_buffer<R>(rank_, n_);
        right_ = matrix_buffer<R>(rank_, n_);
        values_ = matrix_buffer<R>(1, rank_);
        for (index_t k = 0; k < rank_; ++k) {
            const index_t from = order.data()[k];
            std::copy(u.row(from), u.row(from) + n_, left_.span().row(k));
            std::copy(v.row(from), v.row(from) + n_, right_.span().row(k));
            values_.data()[k] = d[from];
        }
        return true;
    }
    void solve_deficient(const matrix_span<R>& c, bool transposed) const {
        const auto from = transposed ? right_.span() : left_.span(), to = transposed ? left_.span() : right_.span();
        const matrix_buffer<R> parts(rank_, c.columns);
        const auto p = parts.span();
        multiply(from, c, p);
        for (index_t k = 0; k < rank_; ++k) divide_row(c.columns, values_.data()[k], p.row(k));
        gemm<R>(n_, c.columns, rank_, to.data, 1, to.step, p.data, p.step, 1, c.data, c.step);
    }

    index_t n_, rank_ = 0;
    const R *d_, *e_;
    matrix_buffer<R> left_{0, 0}, right_{0, 0}, values_{0, 0};
};

/// Rows of numbers as rows of real ones.
template <class T>
matrix_span<real_t<T>> real_parts(const matrix_span<T>& a) {
    constexpr index_t parts = sizeof(T) / sizeof(real_t<T>);
    return {reinterpret_cast<real_t<T>*>(a.data), a.rows, parts * a.columns, parts * a.step};
}

/// Of A with as many rows as columns or more: the first rows of X, as many as A has columns, become those of A^+ X, or
/// with `adjoint` X becomes (A^H)^+ of its first rows; s descending.
template <class T>
bool solve_bidiagonal(const matrix_span<T>& a, const matrix_span<T>& x, real_t<T>* s, real_t<T> relative,
                      bool adjoint) {
    const index_t n = a.columns;
    const bidiagonal_form<T> form(a, s);
    const matrix_buffer<real_t<T>> d(1, n);
    std::copy(s, s + n, d.data());
    bidiagonal_system<real_t<T>> system(n, d.data(), form.e.data());
    if (!system.factor(s, relative)) return false;
    const auto c = x.block(0, 0, n, x.columns), below = c.block(1, 0, n - 1, c.columns);
    const auto p = reflections_of_rows(form.p.span());
    if (adjoint) apply_q_adjoint(p.span(), form.tau_p(), below);
    else apply_q_adjoint(form.q, form.tau_q(), x);
    system.solve(real_parts(c), adjoint);
    if (adjoint) {
        for (index_t i = n; i < x.rows; ++i) std::fill(x.row(i), x.row(i) + x.columns, T(0));
        apply_q(form.q, form.tau_q(), x);
    } else {
        apply_q(p.span(), form.tau_p(), below);
    }
    return true;
}
/// X = A^+ B, first by A = Q R where that saves work: B's columns follow A's through the reflections.
template <class T>
bool least_squares_tall(const matrix_span<T>& a, const matrix_span<T>& b, const matrix_span<T>& x, real_t<T>* s,
                        real_t<T> relative) {
    const index_t m = a.rows, n = a.columns;
    auto known = b;
    const bool square = 2 * m > 3 * n;
    const matrix_buffer<T> joined(square ? m : 0, n + b.columns), upper(square ? n : 0, n), tau(1, n);
    if (square) {
        const auto both = joined.span();
        known = both.block(0, n, n, b.columns);
        copy_matrix(a, both.block(0, 0, m, n));
        copy_matrix(b, both.block(0, n, m, b.columns));
        factor_qr(both, tau.data(), n);
        copy_upper(both.block(0, 0, n, n), upper.span());
    }
    if (!solve_bidiagonal(square ? upper.span() : a, known, s, relative, false)) return false;
    copy_matrix(known.block(0, 0, n, b.columns), x);
    return true;
}
/// X = (A^H)^+ B likewise.
template <class T>
bool least_squares_wide(const matrix_span<T>& a, const matrix_span<T>& b, const matrix_span<T>& x, real_t<T>* s,
                        real_t<T> relative) {
    const index_t m = a.rows, n = a.columns;
    copy_matrix(b, x.block(0, 0, n, x.columns));
    if (2 * m <= 3 * n) return solve_bidiagonal(a, x, s, relative, true);
    const matrix_buffer<T> upper(n, n), tau(1, n);
    factor_qr(a, tau.data(), n);
    copy_upper(a, upper.span());
    if (!solve_bidiagonal(upper.span(), x.block(0, 0, n, x.columns), s, relative, true)) return false;
    for (index_t i = n; i < m; ++i) std::fill(x.row(i), x.row(i) + x.columns, T(0));
    apply_q(a, tau.data(), x);
    return true;
}

/// The shortest X among those with the least |A X - B|, where singular values up to `relative` times the largest count
/// as 0, and A's singular values, descending. A and B are spoilt. False when the iteration does not converge.
template <class T>
bool least_squares(const matrix_span<T>& a, const matrix_span<T>& b, const matrix_span<T>& x, real_t<T>* s,
                   real_t<T> relative) {
    const index_t least = std::min(a.rows, a.columns);
    if (least == 0) {
        for (index_t i = 0; i < x.rows; ++i) std::fill(x.row(i), x.row(i) + x.columns, T(0));
        return true;
    }
    const auto factor = scale_to_one(a);
    if (a.rows >= a.columns) {
        if (!least_squares_tall(a, b, x, s, relative)) return false;
    } else {
        const matrix_buffer<T> adjoint(a.columns, a.rows);
        copy_adjoint(a, adjoint.span());
        if (!least_squares_wide(adjoint.span(), b, x, s, relative)) return false;
    }
    scale_row(least, factor, s);
    if (factor != 1)
        for (index_t i = 0; i < x.rows; ++i) divide_row(x.columns, factor, x.row(i));
    return true;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
