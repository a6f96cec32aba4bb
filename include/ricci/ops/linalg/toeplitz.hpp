// Matrices made of few numbers: toeplitz, circulant, hankel, hilbert.
#pragma once
#include "../evenly_spaced.hpp"
#include "../join.hpp"
#include "../rearrange.hpp"
#include "../strided.hpp"
#include "matrix_op.hpp"

namespace ricci {
namespace linalg {

/// The matrices with t[i][j] = c[i - j] for i >= j and r[j - i] above: `column` (..., m) is the first column, `row`
/// (..., n) the first row, whose element 0 does not count; (..., m, n), in the common type. Linear in both. Throws
/// shape_error for lines without an element, or leading axes that differ. (scipy.linalg.toeplitz.)
template <expression C, expression R>
auto toeplitz(const C& column, const R& row) {
    static_assert(C::rank >= 1 && C::rank == R::rank,
                  "ricci: toeplitz takes a column and a row of the same rank, 1 or more");
    const auto c = evaluate(column);
    const auto r = evaluate(row);
    constexpr int last = C::rank - 1;
    const index_t m = c.shape()[last], n = r.shape()[last];
    if (m == 0 || n == 0)
        detail::raise<shape_error>(
            {"[toeplitz] a column ", c.shape(), " and a row ", r.shape(), " must have elements"});
    const auto diagonals = concat(std::make_tuple(flip(c, last), detail::stretch_of(r, last, 1, n - 1)), last);
    const auto rows = unfold(diagonals, last, n);  // from the last one to the first
    return evaluate(positive(flip(rows, last)));
}
/// With the conjugate of the column as the first row: symmetric, or Hermitian.
template <expression C>
auto toeplitz(const C& column) {
    if constexpr (is_complex_v<typename C::value_type>) return toeplitz(column, conj(column));
    else return toeplitz(column, column);
}

/// The square matrices whose columns are `column` (..., n), each turned one place down from the one before: c[i][j] =
/// column[(i - j) mod n]. Linear. Throws shape_error for lines without an element. (scipy.linalg.circulant.)
template <expression C>
auto circulant(const C& column) {
    static_assert(C::rank >= 1, "ricci: circulant takes a column, of rank 1 or more");
    const auto c = evaluate(column);
    return toeplitz(c, roll(flip(c, C::rank - 1), 1, C::rank - 1));
}

/// The matrices with h[i][j] = c[i + j] for i + j < m and r[i + j - m + 1] beyond: `column` (..., m) is the first
/// column, `row` (..., n) the last row, whose element 0 does not count; (..., m, n), in the common type. Linear in
/// both. Throws shape_error for lines without an element, or leading axes that differ. (scipy.linalg.hankel.)
template <expression C, expression R>
auto hankel(const C& column, const R& row) {
    static_assert(C::rank >= 1 && C::rank == R::rank,
                  "ricci: hankel takes a column and a row of the same rank, 1 or more");
    const auto c = evaluate(column);
    const auto r = evaluate(row);
    constexpr int last = C::rank - 1;
    const index_t m = c.shape()[last], n = r.shape()[last];
    if (m == 0 || n == 0)
        detail::raise<shape_error>({"[hankel] a column ", c.shape(), " and a row ", r.shape(), " must have elements"});
    const auto diagonals = concat(std::make_tuple(c, detail::stretch_of(r, last, 1, n - 1)), last);
    return evaluate(positive(unfold(diagonals, last, n)));
}
/// With zeros in the last row.
template <expression C>
auto hankel(const C& column) {
    const auto c = evaluate(column);
    return hankel(c, zeros<typename C::value_type>(c.shape(), device_t<C>{}));
}

/// The n x n matrix of 1 / (i + j + 1), which is hard to invert. Throws value_error for a negative n.
/// (scipy.linalg.hilbert.)
template <class T = double>
auto hilbert(index_t n) {
    if (n < 0) detail::raise<value_error>({"[hilbert] the number of rows must not be negative: ", n});
    const auto i = arange<T>(T(n));
    return evaluate(1 / (detail::as_column(i) + i + T(1)));
}

}  // namespace linalg
}  // namespace ricci
