// Patterns of sparse derivatives for tests.
#pragma once
#include "derivatives.hpp"

namespace derivative_checks {

/// That the entries of a pattern are the true elements.
inline void check_pattern(const sparsity_pattern& p, const tensor<bool, 2>& expected) {
    REQUIRE(p.shape() == expected.shape());
    CHECK(sum(p.to_dense() != expected).item() == 0);
    CHECK(p.nnz() == sum(expected).item());
}
/// True on some diagonals.
inline tensor<bool, 2> band(index_t rows, index_t columns, index_t first, index_t last) {
    const auto dense = zeros<bool>({rows, columns});
    for (index_t i = 0; i < rows; ++i)
        for (index_t j = 0; j < columns; ++j) dense.at(i, j) = first <= j - i && j - i <= last;
    return dense;
}

}  // namespace derivative_checks
