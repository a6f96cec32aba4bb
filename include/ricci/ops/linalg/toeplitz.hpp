// Matrices whose diagonals are constant.
#pragma once
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

}  // namespace linalg
}  // namespace ricci
