// Diagonals, Kronecker and element-wise products of sparse matrices.
#pragma once
#include <vector>

#include "diagonal.hpp"
#include "rearrange.hpp"
#include "sparse.hpp"

namespace ricci {

/// The k-th diagonal of a sparse matrix, above the main one for k > 0: an array with its zeros. Linear in the values,
/// and differentiable. (scipy.sparse's a.diagonal(k).)
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

/// The Kronecker product of two sparse matrices, (m, n) and (p, q): (m p, n q), block (i, j) being a(i, j) b. Linear in
/// the values of each, and differentiable in both, to any order. Throws value_error when its extents overflow.
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

namespace detail {

/// Where two matrices of the same shape both have entries, and which of the entries of each these are. (A template, as
/// pattern_union is.)
template <class Index = std::int64_t>
struct pattern_intersection {
    csr_pattern pattern;
    tensor<Index, 1> places[2];

    pattern_intersection(const csr_pattern& left, const csr_pattern& right) {
        const auto offsets = tensor<Index, 1>::uninitialized({left.extents[0] + 1});
        const Index *const l_column = left.columns.data(), *const r_column = right.columns.data();
        std::vector<Index> columns, of_left, of_right;
        offsets.data()[0] = 0;
        for (index_t i = 0; i < left.extents[0]; ++i) {
            const index_t l_end = left.offsets.data()[i + 1], r_end = right.offsets.data()[i + 1];
            for (index_t l = left.offsets.data()[i], first = right.offsets.data()[i]; l < l_end; ++l) {
                while (first < r_end && r_column[first] < l_column[l]) ++first;
                for (index_t r = first; r < r_end && r_column[r] == l_column[l]; ++r) {  // several where entries add up
                    columns.push_back(l_column[l]);
                    of_left.push_back(l);
                    of_right.push_back(r);
                }
            }
            offsets.data()[i + 1] = static_cast<Index>(columns.size());
        }
        pattern = {offsets, from_span(columns), left.extents};
        places[0] = from_span(of_left);
        places[1] = from_span(of_right);
    }
};

}  // namespace detail

/// The product, element by element, of two sparse matrices of the same shape: its entries are where both have one.
/// Linear in the values of each, and differentiable in both, to any order. Throws shape_error when the shapes differ,
/// and where a matrix's arrays are no CSR pattern. (scipy.sparse's a.multiply(b); the product of linear algebra is
/// matmul.)
template <element T, class V, element U, class W>
auto multiply(const csr_matrix<T, V>& a, const csr_matrix<U, W>& b) {
    using P = promote_t<T, U>;
    if (a.extents != b.extents)
        detail::raise<shape_error>({"[multiply] sparse matrices of shapes ", a.extents, " and ", b.extents, " differ"});
    const detail::pattern_intersection<> both(a.pattern(), b.pattern());
    const auto values = evaluate(index_select(detail::evaluate_as<P>(a.values), 0, both.places[0]) *
                                 index_select(detail::evaluate_as<P>(b.values), 0, both.places[1]));
    return csr_matrix<P, std::remove_cvref_t<decltype(values)>>{both.pattern.offsets, both.pattern.columns, values,
                                                                a.extents};
}
/// A sparse matrix times an array that broadcasts to its shape, element by element: a row scales its columns, a column,
/// v(all, newaxis), its rows. Its entries stay, zeros that the array has among them. Linear in the values and in the
/// array.
template <element T, class V, expression E>
auto multiply(const csr_matrix<T, V>& a, const E& x) {
    static_assert(E::rank <= 2, "ricci: multiply takes a sparse matrix and an array that broadcasts to its shape");
    return a.with_values(a.values * evaluate(broadcast_to(x, a.extents)(a.rows(), a.columns)));
}
template <expression E, element T, class V>
auto multiply(const E& x, const csr_matrix<T, V>& a) {
    return multiply(a, x);
}

}  // namespace ricci
