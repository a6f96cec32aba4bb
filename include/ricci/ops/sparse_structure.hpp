// Diagonals and Kronecker products of sparse matrices.
#pragma once
#include <vector>

#include "diagonal.hpp"
#include "sparse.hpp"

namespace ricci {

/// The k-th diagonal of a sparse matrix, above the main one for k > 0: an array with its zeros. Linear in the values, and
/// differentiable. (scipy.sparse's a.diagonal(k).)
template <element T, class V>
auto diagonal(const csr_matrix<T, V>& a, index_t k = 0) {
    const detail::diagonal_place on(a.extents[0], a.extents[1], k);
    std::vector<std::int64_t> entries, places;
    a.pattern().for_entries([&](index_t e, index_t i, std::int64_t j) {
        if (on.length == 0 || j - i != k) return;
        entries.push_back(e);
        places.push_back(i - on.row);
    });
    return index_put(zeros<T>({on.length}), std::make_tuple(from_span(places)),
                     index_select(a.values, 0, from_span(entries)), true);
}

/// The Kronecker product of two sparse matrices, (m, n) and (p, q): (m p, n q), block (i, j) being a(i, j) b. Linear in the
/// values of each, and differentiable in both, to any order. Throws value_error when its extents overflow.
/// (scipy.sparse.kron.)
template <element T, class V, element U, class W>
auto kron(const csr_matrix<T, V>& a, const csr_matrix<U, W>& b) {
    const detail::csr_pattern left = a.pattern(), right = b.pattern();
    detail::check_extents(shape<4>{a.extents[0], a.extents[1], b.extents[0], b.extents[1]}, 1, "kron");
    detail::check_extents(shape<2>{left.nnz(), right.nnz()}, sizeof(std::int64_t), "kron");
    const shape<2> extents{a.extents[0] * b.extents[0], a.extents[1] * b.extents[1]};
    const shape<1> entries{left.nnz() * right.nnz()};
    const auto offsets = tensor<std::int64_t, 1>::uninitialized({extents[0] + 1}),
               columns = tensor<std::int64_t, 1>::uninitialized(entries),
               of_left = tensor<std::int64_t, 1>::uninitialized(entries),
               of_right = tensor<std::int64_t, 1>::uninitialized(entries);
    index_t at = 0;
    for (index_t row = 0; row < extents[0]; ++row) {
        offsets.data()[row] = at;
        const index_t i = row / b.extents[0], j = row % b.extents[0];
        for (index_t k = left.offsets.data()[i]; k < left.offsets.data()[i + 1]; ++k)
            for (index_t l = right.offsets.data()[j]; l < right.offsets.data()[j + 1]; ++l, ++at) {
                columns.data()[at] = left.columns.data()[k] * b.extents[1] + right.columns.data()[l];
                of_left.data()[at] = k;
                of_right.data()[at] = l;
            }
    }
    offsets.data()[extents[0]] = at;
    const auto values = evaluate(index_select(a.values, 0, of_left) * index_select(b.values, 0, of_right));
    using X = std::remove_cvref_t<decltype(values)>;
    return csr_matrix<typename X::value_type, X>{offsets, columns, values, extents};
}

}  // namespace ricci
