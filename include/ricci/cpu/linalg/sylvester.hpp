// Linear equations for a matrix X between two others, by their Schur forms (Bartels and Stewart 1972; Kitagawa 1977).
#pragma once
#include "schur.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// X with A X + X B = Q or, `discrete`, X - A X B = Q, over Q. False where no X or many solve it: up to rounding, an
/// eigenvalue of A and one of B add up to 0, or multiply to 1.
template <class S, class T>
bool solve_sylvester(const matrix_span<S>& a, const matrix_span<S>& b, const matrix_span<T>& q, bool discrete,
                     const char* op) {
    using C = std::complex<double>;
    const index_t m = q.rows, n = q.columns;
    if (m == 0 || n == 0) return true;
    const auto left = schur_of(a, op), right = schur_of(b, op);
    const auto t = left.t(), s = right.t();
    // the equation of Y = U^H X V, transposed: row j of y is column j of Y
    const matrix_buffer<C> f(m, n), turned(m, m), half(m, n), y_memory(n, m), w_memory(2, m);
    for (index_t i = 0; i < m; ++i)
        for (index_t j = 0; j < n; ++j) f.span()(i, j) = C(q(i, j));
    copy_adjoint(left.q(), turned.span());
    multiply(turned.span(), f.span(), half.span());
    multiply(half.span(), right.q(), f.span());
    const auto y = y_memory.span();
    copy_turned(m, n, f.data(), n, y.data, m);
    double size = 0;
    for (index_t i = 0; i < m; ++i) size = std::max(size, size_of(t(i, i)));
    for (index_t j = 0; j < n; ++j) size = std::max(size, size_of(s(j, j)));
    C* const sum = w_memory.span().row(0);
    for (index_t j = 0; j < n; ++j) {
        C* const row = y.row(j);
        std::fill(sum, sum + m, C(0));
        for (index_t k = 0; k < j; ++k) add_scaled(m, s(k, j), y.row(k), sum);
        for (index_t i = 0; i < m; ++i) row[i] += discrete ? dot_product(m - i, t.row(i) + i, sum + i) : -sum[i];
        // (alpha + beta T) y = row
        const C alpha = discrete ? C(1) : s(j, j), beta = discrete ? -s(j, j) : C(1);
        for (index_t i = m - 1; i >= 0; --i) {
            const C pivot = alpha + times(beta, t(i, i));
            const double scale = discrete ? 1 + size_of(times(beta, t(i, i))) : size;
            if (!(size_of(pivot) > 8 * std::numeric_limits<double>::epsilon() * scale)) return false;
            row[i] = (row[i] - times(beta, dot_product(m - i - 1, t.row(i) + i + 1, row + i + 1))) / pivot;
        }
    }
    copy_turned(n, m, y.data, m, f.data(), n);
    const matrix_buffer<C> adjoint(n, n);
    copy_adjoint(right.q(), adjoint.span());
    multiply(left.q(), f.span(), half.span());
    multiply(half.span(), adjoint.span(), f.span());
    copy_rounded(f.span(), q);
    return true;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
