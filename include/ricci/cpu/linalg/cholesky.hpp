// Cholesky factors, and what comes back to a matrix from the cotangent of its factor.
#pragma once
#include "lu.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// The lower triangle of C -= A B.
template <class T>
void subtract_lower(const matrix_span<T>& c, const matrix_span<T>& a, const matrix_span<T>& b) {
    const index_t n = c.rows;
    if (n <= 96) return subtract_product(c, a, b);
    const index_t half = n / 2 / 8 * 8;
    subtract_lower(c.block(0, 0, half, half), a.block(0, 0, half, a.columns), b.block(0, 0, b.rows, half));
    subtract_product(c.block(half, 0, n - half, half), a.block(half, 0, n - half, a.columns),
                     b.block(0, 0, b.rows, half));
    subtract_lower(c.block(half, half, n - half, n - half), a.block(half, 0, n - half, a.columns),
                   b.block(0, half, b.rows, n - half));
}
/// A = L L^H of a Hermitian matrix of which the lower triangle is read; the upper one is overwritten. Gives the order
/// of the first leading minor that is not positive, 0 where all are.
template <class T>
index_t factor_cholesky(const matrix_span<T>& a) {
    const index_t n = a.rows;
    if (n <= 24) {
        for (index_t j = 0; j < n; ++j) {
            const real_t<T> squared = real_part(a(j, j)) - sum_of_squares(j, a.row(j));
            if (!(squared > 0)) return j + 1;
            const real_t<T> pivot = std::sqrt(squared);
            a(j, j) = pivot;
            for (index_t i = j + 1; i < n; ++i) a(i, j) = (a(i, j) - inner_product(j, a.row(j), a.row(i))) / pivot;
        }
        return 0;
    }
    const index_t half = n / 2 / 8 * 8;
    const auto first = a.block(0, 0, half, half), below = a.block(half, 0, n - half, half);
    const auto second = a.block(half, half, n - half, n - half);
    if (const index_t order = factor_cholesky(first)) return order;
    const matrix_buffer<T> adjoint(half, n - half);  // of what is below: its rows are long ones
    copy_adjoint(below, adjoint.span());
    solve_triangle(triangle<T>{first.data, first.step, 1, false, false}, adjoint.span());
    copy_adjoint(adjoint.span(), below);
    subtract_lower(second, below, adjoint.span());
    const index_t order = factor_cholesky(second);
    return order ? half + order : 0;
}

/// pull_cholesky of few rows, one column of the factor after the other, the last one first.
template <class T>
void pull_columns(const matrix_span<T>& l, const matrix_span<T>& g) {
    const index_t n = l.rows;
    for (index_t j = n - 1; j >= 0; --j) {
        const real_t<T> pivot = real_part(l(j, j));
        real_t<T> rest = real_part(g(j, j));
        for (index_t i = j + 1; i < n; ++i) {
            g(i, j) /= pivot;
            g(j, i) = conjugate(g(i, j));
            rest -= real_part(times(g(j, i), l(i, j)));
            add_scaled(j, T(-g(j, i)), l.row(i), g.row(j));
            add_scaled(j, T(-g(i, j)), l.row(j), g.row(i));
        }
        g(j, j) = rest / pivot;
        add_scaled(j, T(-g(j, j)), l.row(j), g.row(j));
    }
}
/// With G the cotangent of A's factor L, of which the lower triangles are read: G becomes the sum of that of A's lower
/// triangle and its adjoint. By blocks (Murray 2016, section 3.3), split as factor_cholesky splits them: as
/// many operations as two factorizations.
template <class T>
void pull_cholesky(const matrix_span<T>& l, const matrix_span<T>& g) {
    const index_t n = l.rows;
    if (n <= 24) return pull_columns(l, g);
    const index_t half = n / 2 / 8 * 8, left = n - half;
    const auto first = l.block(0, 0, half, half), below = l.block(half, 0, left, half);
    const auto g_first = g.block(0, 0, half, half), g_below = g.block(half, 0, left, half);
    const auto g_second = g.block(half, half, left, left);
    pull_cholesky(l.block(half, half, left, left), g_second);
    subtract_product(g_below, g_second, below);
    const matrix_buffer<T> turned(half, half), adjoint(half, left);
    copy_adjoint(first, turned.span());
    copy_adjoint(g_below, adjoint.span());
    solve_triangle(triangle<T>{turned.data(), half, 1, true, false}, adjoint.span());
    subtract_lower(g_first, adjoint.span(), below);
    copy_adjoint(adjoint.span(), g_below);
    copy_matrix(adjoint.span(), g.block(0, half, half, left));
    pull_cholesky(first, g_first);
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
