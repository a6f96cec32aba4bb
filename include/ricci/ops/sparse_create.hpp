// Sparse matrices of dense ones, and with entries on diagonals.
#pragma once
#include <algorithm>
#include <vector>

#include "../core/dtype_info.hpp"
#include "diagonal.hpp"
#include "evenly_spaced.hpp"
#include "join.hpp"
#include "sparse.hpp"

namespace ricci {
namespace detail {

/// How many entries the k-th diagonal of a matrix has.
inline index_t diagonal_length(const shape<2>& extents, index_t k) {
    return diagonal_place(extents[0], extents[1], k).length;
}
/// A diagonal of that length; a number, of the type T, all along it.
template <class T, class D>
auto whole_diagonal(const D& d, index_t length) {
    if constexpr (!expression<D>) return whole_diagonal<T>(evaluate_as<T>(as_array(d)), length);
    else if constexpr (D::rank == 0) return evaluate(expanded(d, shape<1>{length}));
    else return d;
}

/// Where diagonals stand, row by row, and of which element of theirs, laid end to end, each entry is; `ascend` unless
/// two of them stand at one place.
struct diagonal_entries {
    tensor<std::int64_t, 1> offsets, columns, elements;
    bool ascend = true;

    template <std::size_t Count>
    diagonal_entries(const index_t (&diagonal)[Count], const shape<2>& extents)
        : offsets(tensor<std::int64_t, 1>::uninitialized({extents[0] + 1})) {
        struct placed {
            index_t offset, first_row, end_row, element;
        };
        std::vector<placed> all;
        index_t n = 0;
        for (std::size_t i = 0; i < Count; ++i) {
            const diagonal_place at(extents[0], extents[1], diagonal[i]);
            if (at.length > 0) all.push_back({diagonal[i], at.row, at.row + at.length, n});
            n += at.length;
        }
        std::sort(all.begin(), all.end(), [](const placed& a, const placed& b) { return a.offset < b.offset; });
        for (std::size_t i = 1; i < all.size(); ++i) ascend = ascend && all[i - 1].offset < all[i].offset;
        columns = tensor<std::int64_t, 1>::uninitialized({n});
        elements = tensor<std::int64_t, 1>::uninitialized({n});
        std::int64_t *column = columns.data(), *element = elements.data();
        offsets.data()[0] = 0;
        for (index_t row = 0; row < extents[0]; ++row) {
            for (const placed& d : all)
                if (d.first_row <= row && row < d.end_row) {
                    *column++ = row + d.offset;
                    *element++ = d.element + (row - d.first_row);
                }
            offsets.data()[row + 1] = column - columns.data();
        }
    }
};

}  // namespace detail

/// A matrix as a list of those of its entries that are not zero, row by row; NaN and -0.0 as nonzero has them. Which
/// ones they are is a constant for derivatives: the gradient has zeros elsewhere. Throws value_error where vmap makes
/// that differ between members. (torch's to_sparse_coo, scipy.sparse.coo_array(x).)
template <expression E>
auto to_sparse_coo(const E& x) {
    static_assert(E::rank == 2, "ricci: a sparse matrix is made of a matrix, an array of rank 2");
    static_assert(std::is_same_v<device_t<E>, cpu_device>, "ricci: sparse matrices are in the CPU's memory");
    const auto a = evaluate(x);
    const auto [rows, columns] = nonzero(a);
    const auto values = evaluate(index(a, rows, columns));
    return coo_matrix<typename E::value_type, std::remove_cvref_t<decltype(values)>>{
        detail::evaluate_as<std::int64_t>(rows), detail::evaluate_as<std::int64_t>(columns), values, a.shape()};
}
/// The same in compressed rows. (torch's to_sparse_csr, scipy.sparse.csr_array(x).)
template <expression E>
auto to_sparse_csr(const E& x) {
    const auto a = to_sparse_coo(x);
    const auto offsets = zeros<std::int64_t>({a.extents[0] + 1});
    detail::count_rows(a.rows.data(), a.nnz(), offsets.data(), a.extents[0]);
    return csr_matrix<typename E::value_type, std::remove_cvref_t<decltype(a.values)>>{offsets, a.columns, a.values,
                                                                                       a.extents};
}

template <element T, class Values>
template <expression E>
csr_matrix<T, Values>::csr_matrix(const E& dense) : csr_matrix(to_sparse_csr(detail::as_type<T>(dense))) {}
template <element T, class Values>
template <expression E>
coo_matrix<T, Values>::coo_matrix(const E& dense) : coo_matrix(to_sparse_coo(detail::as_type<T>(dense))) {}

/// The matrix of a shape with given diagonals, in compressed rows: the arrays of rank 1 stand on those `offsets` above
/// the main one (below it where negative), numbers all along theirs, diagonals of one offset add up.
/// sparse_diags(rc::tuple(main, 1.0), {0, 1}, {n, n}).
/// Differentiable with respect to the diagonals. (scipy.sparse.diags_array.) Throws shape_error unless each array has
/// as many elements as its diagonal.
template <operand... E>
auto sparse_diags(const std::tuple<E...>& diagonals, const index_t (&offsets)[sizeof...(E)], const shape<2>& extents) {
    detail::check_extents(extents, 1, "sparse_diags");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        using T = result_type_t<E...>;
        const auto whole = std::make_tuple(
            detail::whole_diagonal<T>(std::get<I>(diagonals), detail::diagonal_length(extents, offsets[I]))...);
        static_assert(((std::tuple_element_t<I, std::remove_const_t<decltype(whole)>>::rank == 1) && ...),
                      "ricci: the diagonals of a sparse matrix are numbers, or arrays of rank 1");
        const auto check = [&](index_t k, index_t size) {
            const index_t length = detail::diagonal_length(extents, k);
            if (size != length)
                detail::raise<shape_error>({"[sparse_diags] the diagonal at offset ", k, " of a matrix of shape ",
                                            extents, " has ", length, " elements, not ", size});
        };
        (check(offsets[I], std::get<I>(whole).shape()[0]), ...);
        const detail::diagonal_entries entries(offsets, extents);
        const auto values = evaluate(index_select(evaluate(concat(whole, 0)), 0, entries.elements));
        using V = std::remove_cvref_t<decltype(values)>;
        using U = typename V::value_type;
        const csr_matrix<U, V> a{entries.offsets, entries.columns, values, extents};
        return entries.ascend ? a : coo_matrix<U, V>{a.rows(), a.columns, values, extents}.to_csr();
    }(std::make_index_sequence<sizeof...(E)>{});
}
/// The same of a square matrix, as large as the first of the diagonals that is an array has it: n elements at offset k
/// are those of n + |k| rows.
template <operand... E>
auto sparse_diags(const std::tuple<E...>& diagonals, const index_t (&offsets)[sizeof...(E)]) {
    static_assert((!detail::is_number<E> || ...),
                  "ricci: numbers alone do not tell how large the matrix is: sparse_diags(diagonals, offsets, {n, n})");
    index_t n = -1;
    const index_t* at = offsets;
    const auto measure = [&]<class D>(const D& d) {
        if constexpr (!detail::is_number<D>)
            if (n < 0) n = d.shape()[0] + (*at < 0 ? -*at : *at);
        ++at;
    };
    std::apply([&](const auto&... d) { (measure(d), ...); }, diagonals);
    return sparse_diags(diagonals, offsets, {n, n});
}
/// The square matrix with one diagonal, that many rows above the main one: sparse_diags(v), sparse_diags(v, -1).
template <expression E>
auto sparse_diags(const E& diagonal, index_t offset = 0) {
    const index_t offsets[] = {offset};
    return sparse_diags(std::tuple<E>(diagonal), offsets);
}
/// The same of a tuple of it, as scipy.sparse.diags_array([v]) has the main diagonal as a default.
template <operand E>
auto sparse_diags(const std::tuple<E>& diagonal) {
    return sparse_diags(diagonal, {0});
}
/// Ones on the k-th diagonal of a matrix of `rows` rows and as many columns, or `columns`, in compressed rows.
/// (scipy.sparse.eye_array.)
template <element T = double>
auto sparse_eye(index_t rows, index_t columns = -1, index_t k = 0) {
    const shape<2> extents{rows, columns < 0 ? rows : columns};
    const index_t offsets[] = {k};
    return sparse_diags(std::make_tuple(ones<T>(shape<1>{detail::diagonal_length(extents, k)})), offsets, extents);
}

}  // namespace ricci
