// The complex Schur form A = Q T Q^H: Householder's reduction to Hessenberg form, then the QR iteration with single
// shifts (Golub and Van Loan 2013, 7.4, 7.5). In double whatever the element type: what is computed from it wants the
// digits.
#pragma once
#include "matrix.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

template <class R>
class complex_schur {
   public:
    using C = std::complex<R>;

    /// Of A in t, whose place T takes.
    explicit complex_schur(index_t n) : t_(n, n), q_(n, n), n_(n) {}
    matrix_span<C> t() const { return t_.span(); }
    matrix_span<C> q() const { return q_.span(); }

    /// False where the iteration does not converge.
    bool run() {
        fill_identity(q());
        for (index_t k = 0; k + 2 < n_; ++k) reflect(k);
        largest_ = 0;
        for (index_t i = 0; i < n_; ++i)
            for (index_t j = 0; j < n_; ++j) largest_ = std::max(largest_, size_of(t()(i, j)));
        int tries = 0;
        for (index_t end = n_ - 1; end > 0;) {
            const index_t first = start_of_block(end);
            if (first == end) {
                --end;
                tries = 0;
                continue;
            }
            if (++tries > 60) return false;
            sweep(first, end, tries % 10 == 0 ? t()(end, end) + size_of(t()(end, end - 1)) : shift(end));
        }
        return true;
    }
    /// Q X Q^H, into x.
    void turn_back(const matrix_span<C>& x) const {
        const matrix_buffer<C> w(n_, n_), adjoint(n_, n_);
        copy_adjoint(q(), adjoint.span());
        multiply(q(), x, w.span());
        multiply(w.span(), adjoint.span(), x);
    }

   private:
    /// Zeros below the subdiagonal of column k, by H = 1 - 2 v v^H from either side.
    void reflect(index_t k) {
        const auto a = t();
        const index_t m = n_ - k - 1;
        const matrix_buffer<C> memory(3, n_);
        C *const v = memory.span().row(0), *const v_bar = memory.span().row(1), *const w = memory.span().row(2);
        R below = 0;
        for (index_t i = 0; i < m; ++i) {
            v[i] = a(k + 1 + i, k);
            if (i > 0) below = std::max(below, size_of(v[i]));
        }
        if (below == 0) return;
        const R length = length_of(m, v), head = std::abs(v[0]);
        v[0] += head > 0 ? v[0] / head * length : C(length);
        scale_row(m, 1 / length_of(m, v), v);
        for (index_t i = 0; i < m; ++i) v_bar[i] = conjugate(v[i]);
        std::fill(w, w + n_, C(0));
        for (index_t i = 0; i < m; ++i) add_scaled(n_, v_bar[i], a.row(k + 1 + i), w);
        for (index_t i = 0; i < m; ++i) add_scaled(n_, R(-2) * v[i], w, a.row(k + 1 + i));
        for (index_t i = 0; i < n_; ++i) {
            C *const row = a.row(i) + k + 1, *const basis = q().row(i) + k + 1;
            add_scaled(m, R(-2) * dot_product(m, row, v), v_bar, row);
            add_scaled(m, R(-2) * dot_product(m, basis, v), v_bar, basis);
        }
        for (index_t i = 1; i < m; ++i) a(k + 1 + i, k) = C(0);
    }
    /// Where the last block without a negligible element below the diagonal begins.
    index_t start_of_block(index_t end) const {
        const auto a = t();
        index_t i = end;
        for (; i > 0; --i) {
            const R beside = size_of(a(i, i)) + size_of(a(i - 1, i - 1));
            if (size_of(a(i, i - 1)) > std::numeric_limits<R>::epsilon() * (beside > 0 ? beside : largest_)) continue;
            a(i, i - 1) = C(0);
            break;
        }
        return i;
    }
    /// The eigenvalue of the last two rows and columns that is closer to the last element.
    C shift(index_t end) const {
        const auto a = t();
        const C last = a(end, end), half = (a(end - 1, end - 1) - last) * R(0.5);
        const C product = times(a(end - 1, end), a(end, end - 1)), root = std::sqrt(times(half, half) + product);
        const C sum = real_part(times(conjugate(half), root)) < 0 ? half - root : half + root;
        return size_of(sum) > 0 ? last - product / sum : last;
    }
    void sweep(index_t first, index_t end, C s) {
        const auto a = t();
        C x = a(first, first) - s, y = a(first + 1, first);
        for (index_t k = first; k < end; ++k) {
            const R length = std::hypot(std::abs(x), std::abs(y));
            if (length > 0) turn(k, k > first ? k - 1 : k, std::min(k + 3, end + 1), x / length, y / length);
            if (k > first) a(k + 1, k - 1) = C(0);
            x = a(k + 1, k);
            if (k + 1 < end) y = a(k + 2, k);
        }
    }
    /// Rows k and k + 1 by [c^* s^*; -s c], columns and the basis by its adjoint.
    void turn(index_t k, index_t left, index_t height, C c, C s) {
        const auto a = t();
        const C c_bar = conjugate(c), s_bar = conjugate(s);
        C *const upper = a.row(k), *const lower = a.row(k + 1);
        for (index_t j = left; j < n_; ++j) {
            const C x = upper[j], y = lower[j];
            upper[j] = times(c_bar, x) + times(s_bar, y);
            lower[j] = times(c, y) - times(s, x);
        }
        const auto columns = [&](C* row) {
            const C x = row[k], y = row[k + 1];
            row[k] = times(c, x) + times(s, y);
            row[k + 1] = times(c_bar, y) - times(s_bar, x);
        };
        for (index_t i = 0; i < height; ++i) columns(a.row(i));
        for (index_t i = 0; i < n_; ++i) columns(q().row(i));
    }

    matrix_buffer<C> t_, q_;
    index_t n_;
    R largest_ = 0;
};

/// The Schur form of any matrix; raises linalg_error where there is none to be found.
template <class T>
complex_schur<double> schur_of(const matrix_span<T>& a, const char* op) {
    complex_schur<double> schur(a.rows);
    const auto t = schur.t();
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t j = 0; j < a.rows; ++j) {
            if (!is_finite(a(i, j))) raise<linalg_error>({"[", op, "] a matrix has an element that is not finite"});
            t(i, j) = std::complex<double>(a(i, j));
        }
    if (a.rows > 0 && !schur.run())
        raise<linalg_error>({"[", op, "] the iteration for the Schur form does not converge"});
    return schur;
}
/// A complex result in the element type of a real or complex one.
template <class T, class C>
void copy_rounded(const matrix_span<C>& from, const matrix_span<T>& to) {
    for (index_t i = 0; i < to.rows; ++i)
        for (index_t j = 0; j < to.columns; ++j) {
            if constexpr (is_complex_v<T>) to(i, j) = T(from(i, j));
            else to(i, j) = static_cast<T>(from(i, j).real());
        }
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
