// Sparse matrices: in compressed rows (CSR), as lists of entries (COO), and their products with arrays.
#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "../core/refused.hpp"
#include "contract.hpp"
#include "contract/sparse_pair_product.hpp"
#include "contract/sparse_product.hpp"
#include "create.hpp"
#include "index.hpp"
#include "shape.hpp"

namespace ricci {

namespace detail {

/// Rows, columns or offsets of a sparse matrix as it keeps them.
template <class I>
tensor<std::int64_t, 1> places_of_entries(const I& places) {
    using P = std::remove_const_t<typename I::value_type>;
    static_assert(std::is_integral_v<P> && !std::is_same_v<P, bool> && I::rank == 1,
                  "ricci: the rows, columns and offsets of a sparse matrix are arrays of integers of rank 1");
    return evaluate_as<std::int64_t>(places);
}
// ops/sparse_index.hpp
template <class M, class I, class J>
auto sparse_part(const M& a, const I& i, const J& j);
template <class M>
auto sparse_element(const M& a, index_t i, index_t j);

}  // namespace detail

/// A sparse matrix in compressed rows: the entries of row i are values[k] at columns[k], ascending, for k from
/// row_offsets[i] to row_offsets[i + 1]. The arrays are handles: several matrices of one pattern share the first two.
/// Under a transform the values may be a wrapped array: with_values.
template <element T, class Values = tensor<T, 1>>
struct csr_matrix {
    tensor<std::int64_t, 1> row_offsets;  // rows + 1 of them
    tensor<std::int64_t, 1> columns;
    Values values;
    ricci::shape<2> extents;

    csr_matrix() = default;
    csr_matrix(const tensor<std::int64_t, 1>& offsets_of_rows, const tensor<std::int64_t, 1>& column_of,
               const Values& v, const ricci::shape<2>& of_extents)
        : row_offsets(offsets_of_rows), columns(column_of), values(v), extents(of_extents) {}
    /// Of offsets and columns of any integer type, and values, all of rank 1, which may be expressions.
    template <expression O, expression J, expression V>
    csr_matrix(const O& offsets_of_rows, const J& column_of, const V& v, const ricci::shape<2>& of_extents)
        : row_offsets(detail::places_of_entries(offsets_of_rows)),
          columns(detail::places_of_entries(column_of)),
          values(detail::evaluate_as<T>(v)),
          extents(of_extents) {}
    /// Of an array of rank 2: to_sparse_csr, which says what its entries are.
    template <expression E>
    explicit csr_matrix(const E& dense);

    const ricci::shape<2>& shape() const { return extents; }
    /// The number of entries.
    index_t nnz() const { return columns.size(); }
    /// The same pattern with other values, an expression of rank 1: what to differentiate, and to map, a product by.
    template <expression E>
    auto with_values(const E& v) const {
        static_assert(E::rank == 1, "ricci: the values of a sparse matrix are an array of rank 1");
        const auto x = evaluate(v);
        if (x.size() != nnz())
            detail::raise<shape_error>(
                {"[csr_matrix] a pattern of ", nnz(), " entries does not fit values of shape ", x.shape()});
        return csr_matrix<typename E::value_type, std::remove_cvref_t<decltype(x)>>{row_offsets, columns, x, extents};
    }
    /// Where the entries are. Throws where the arrays make no pattern, as all that follows and every product does.
    detail::csr_pattern pattern() const {
        const detail::csr_pattern p{detail::dense_of(row_offsets), detail::dense_of(columns), extents};
        p.check(values.shape()[0]);
        return p;
    }
    /// The row of each entry.
    tensor<std::int64_t, 1> rows() const { return pattern().rows(); }
    /// Rows, columns and blocks as a sparse matrix, a(rows), a(all, columns), a(slice(1, -1), all), each named by all,
    /// a slice or a vector of integers, one of which may be: of both by vectors it is a(rows, all)(all, columns),
    /// numpy's ix_. a(i, j) is an element, an expression of rank 0. Integers count from the end where
    /// they are negative. Linear in the values. Throws index_error for an integer out of bounds.
    template <class I, class J = all_t>
    auto operator()(const I& rows_of, const J& columns_of = {}) const {
        if constexpr (std::is_integral_v<I> && std::is_integral_v<J>) {
            return detail::sparse_element(*this, rows_of, columns_of);
        } else {
            static_assert(!std::is_integral_v<I> && !std::is_integral_v<J>,
                          "ricci: one row of a sparse matrix is a(slice(i, i + 1), all), one element a(i, j)");
            static_assert(
                !(expression<I> && expression<J>),
                "ricci: rows and columns of a sparse matrix, both by vectors, are a(rows, all)(all, columns)");
            return detail::sparse_part(*this, rows_of, columns_of);
        }
    }
    /// The same matrix with its zeros: rows x columns.
    auto to_dense() const {
        if constexpr (std::is_same_v<Values, tensor<T, 1>>) {
            const auto v = detail::dense_of(values);
            auto dense = zeros<T>(extents);
            pattern().for_entries([&, to = dense.data(), from = v.data()](index_t k, index_t i, std::int64_t j) {
                to[i * extents[1] + j] += from[k];
            });
            return dense;
        } else {
            return index_put(zeros<T>(extents), std::make_tuple(rows(), columns), values, true);
        }
    }
    /// The transpose, again in compressed rows; its values are these in another order.
    auto transpose() const {
        const detail::csr_pattern p = pattern();
        if constexpr (std::is_same_v<Values, tensor<T, 1>>) {
            const auto v = detail::dense_of(values), moved = tensor<T, 1>::uninitialized(values.shape());
            const auto t =
                p.transpose([to = moved.data(), from = v.data()](index_t k, index_t at) { to[at] = from[k]; });
            return csr_matrix<T>{t.offsets, t.columns, moved, t.extents};
        } else {
            const auto from = tensor<std::int64_t, 1>::uninitialized(ricci::shape<1>{nnz()});
            const auto t = p.transpose([to = from.data()](index_t k, index_t at) { to[at] = k; });
            const auto moved = evaluate(index_select(values, 0, from));
            return csr_matrix<T, std::remove_cvref_t<decltype(moved)>>{t.offsets, t.columns, moved, t.extents};
        }
    }
};

template <expression E>
csr_matrix(const E& dense)
    -> csr_matrix<std::remove_const_t<typename E::value_type>, decltype(to_sparse_csr(dense).values)>;
template <expression O, expression J, expression V>
csr_matrix(const O&, const J&, const V&, const shape<2>&)
    -> csr_matrix<std::remove_const_t<typename V::value_type>,
                  std::remove_cvref_t<decltype(detail::evaluate_as<std::remove_const_t<typename V::value_type>>(
                      std::declval<const V&>()))>>;

namespace detail {

template <class Never>
struct refused_entries : refused_result {
    static_assert(
        always_false<Never>,
        "ricci: products, sums and solvers take sparse matrices in compressed rows, which a.to_csr() gives of "
        "a list of entries");
};

}  // namespace detail

/// A sparse matrix as a list of entries in any order: values[k] at (rows[k], columns[k]). Those at one place add up.
template <element T, class Values = tensor<T, 1>>
struct coo_matrix {
    tensor<std::int64_t, 1> rows, columns;
    Values values;
    ricci::shape<2> extents;

    coo_matrix() = default;
    coo_matrix(const tensor<std::int64_t, 1>& row_of, const tensor<std::int64_t, 1>& column_of, const Values& v,
               const ricci::shape<2>& of_extents)
        : rows(row_of), columns(column_of), values(v), extents(of_extents) {}
    /// Of rows and columns of any integer type, and values, all of rank 1, which may be expressions.
    template <expression I, expression J, expression V>
    coo_matrix(const I& row_of, const J& column_of, const V& v, const ricci::shape<2>& of_extents)
        : rows(detail::places_of_entries(row_of)),
          columns(detail::places_of_entries(column_of)),
          values(detail::evaluate_as<T>(v)),
          extents(of_extents) {}
    /// Of an array of rank 2: to_sparse_coo, which says what its entries are.
    template <expression E>
    explicit coo_matrix(const E& dense);

    const ricci::shape<2>& shape() const { return extents; }
    index_t nnz() const { return rows.size(); }
    /// Throws shape_error when the lists are not of one length, index_error for an entry outside of the matrix.
    void check() const {
        detail::check_extents(extents, 1, "coo_matrix");
        if (rows.size() != columns.size() || rows.size() != values.shape()[0])
            detail::raise<shape_error>({"[coo_matrix] rows ", rows.shape(), ", columns ", columns.shape(),
                                        " and values ", values.shape(), " must be of one length"});
        const auto row_of = detail::dense_of(rows), column_of = detail::dense_of(columns);
        const std::int64_t *row = row_of.data(), *column = column_of.data();
        for (index_t k = 0; k < nnz(); ++k)
            if (row[k] < 0 || row[k] >= extents[0] || column[k] < 0 || column[k] >= extents[1])
                detail::raise<index_error>({"[coo_matrix] entry ", k, " at (", row[k], ", ", column[k],
                                            ") is outside of a matrix of shape ", extents});
    }
    /// In compressed rows, entries at one place summed. Differentiable with respect to the values.
    auto to_csr() const {
        check();
        const index_t m = extents[0];
        auto offsets = zeros<std::int64_t>({m + 1});
        std::int64_t* const offset = offsets.data();
        const std::vector<placed_entry> sorted = by_place(offset);
        const auto places = tensor<std::int64_t, 1>::uninitialized(ricci::shape<1>{nnz()});
        auto kept = tensor<std::int64_t, 1>::uninitialized(ricci::shape<1>{nnz()});
        index_t n = 0;
        const placed_entry* e = sorted.data();
        for (index_t i = 0; i < m; ++i) {
            const placed_entry* const end = sorted.data() + offset[i + 1];
            offset[i] = n;  // in the place of what the sorted entries begin at, which the row before has read
            for (const index_t first = n; e != end; ++e) {
                if (n == first || kept.data()[n - 1] != e->column) kept.data()[n++] = e->column;
                places.data()[e->place] = n - 1;
            }
        }
        offset[m] = n;
        const auto sums = evaluate(index_put(zeros<T>({n}), std::make_tuple(places), values, true));
        if (n < nnz()) kept = kept(slice(0, n)).clone();
        return csr_matrix<T, std::remove_cvref_t<decltype(sums)>>{offsets, kept, sums, extents};
    }
    auto to_dense() const {
        check();
        return index_put(zeros<T>(extents), std::make_tuple(rows, columns), values, true);
    }

   private:
    struct placed_entry {
        std::int64_t column, place;
        friend bool operator<(const placed_entry& a, const placed_entry& b) {
            if (a.column != b.column) return b.column > a.column;  // nvcc reads "column <" as a template
            return b.place > a.place;
        }
    };
    /// The entries row by row, in each by columns, those of one place in their order; where the rows begin into
    /// `offset`, which is zeros.
    std::vector<placed_entry> by_place(std::int64_t* offset) const {
        const auto row_of = detail::dense_of(rows), column_of = detail::dense_of(columns);
        const std::int64_t *row = row_of.data(), *column = column_of.data();
        const index_t m = extents[0];
        detail::count_rows(row, nnz(), offset, m);
        std::vector<std::int64_t> next(offset, offset + m);
        std::vector<placed_entry> sorted(static_cast<std::size_t>(nnz()));
        for (index_t k = 0; k < nnz(); ++k)
            sorted[static_cast<std::size_t>(next[static_cast<std::size_t>(row[k])]++)] = {column[k], k};
        for (index_t i = 0; i < m; ++i) std::sort(sorted.begin() + offset[i], sorted.begin() + offset[i + 1]);
        return sorted;
    }
};

template <expression E>
coo_matrix(const E& dense)
    -> coo_matrix<std::remove_const_t<typename E::value_type>, decltype(to_sparse_coo(dense).values)>;
template <expression I, expression J, expression V>
coo_matrix(const I&, const J&, const V&, const shape<2>&)
    -> coo_matrix<std::remove_const_t<typename V::value_type>,
                  std::remove_cvref_t<decltype(detail::evaluate_as<std::remove_const_t<typename V::value_type>>(
                      std::declval<const V&>()))>>;

namespace detail {

/// The sparse matrix, or its transpose, times the columns of x, (n,) or (..., n, columns).
template <bool Transposed, class T, class V, class E>
auto sparse_times(const csr_matrix<T, V>& a, const E& dense, const char* form) {
    static_assert(E::rank >= 1, "ricci: a sparse matrix is multiplied by arrays of rank 1 or more");
    using U = promote_t<T, typename E::value_type>;
    using C = compute_t<U>;
    constexpr int R = E::rank;
    const auto x = evaluate_as<C>(dense);
    const index_t inner = a.extents[Transposed ? 0 : 1], have = x.shape()[R == 1 ? 0 : R - 2];
    if (have != inner)
        raise<shape_error>(
            {"[matmul] ", form, a.extents, " does not fit an array of shape ", x.shape(), ": ", inner, " != ", have});
    const csr_pattern pattern = a.pattern();
    const auto values = evaluate_as<C>(a.values);
    if constexpr (R == 1) {
        const auto y = call1(sparse_product_op<Transposed, 0>{{}, pattern}, values, reshaped(x, shape<2>{have, 1}));
        return evaluate_as<U>(reshaped(y, shape<1>{y.shape()[0]}));
    } else {
        shape<R - 1> one = unit_shape<R - 1>();
        one[R - 2] = a.nnz();
        return evaluate_as<U>(call1(sparse_product_op<Transposed, R - 2>{{}, pattern}, reshaped(values, one), x));
    }
}

}  // namespace detail

/// Product of a sparse matrix (m, n) and an array: a vector (n,) or matrices (..., n, k), as matmul has it. Linear in
/// the values and in the array, and differentiable in both, to any order; the gradient of the values has only the
/// pattern's entries. Takes a thread for many rows. Throws shape_error when the shapes do not fit, value_error and
/// index_error when the matrix's arrays are no CSR pattern; derivatives throw gradient_error when these were changed in
/// place after the product.
template <element T, class V, expression E>
auto matmul(const csr_matrix<T, V>& a, const E& x) {
    return detail::sparse_times<false>(a, x, "the sparse matrix ");
}
/// Product of an array, a vector (m,) or matrices (..., k, m), and a sparse matrix (m, n).
template <expression E, element T, class V>
auto matmul(const E& x, const csr_matrix<T, V>& a) {
    if constexpr (E::rank == 1) return detail::sparse_times<true>(a, x, "the transpose of ");
    else return matrix_transpose(detail::sparse_times<true>(a, matrix_transpose(x), "the transpose of "));
}
/// Product of two sparse matrices, (m, n) and (n, k): a sparse one, whose pattern is that of the factors' patterns,
/// zeros that their values give included. Linear in the values of each, and differentiable in both, to any order.
/// Throws as above.
template <element T, class V, element U, class W>
auto matmul(const csr_matrix<T, V>& a, const csr_matrix<U, W>& b) {
    using P = promote_t<T, U>;
    using C = compute_t<P>;
    if (a.extents[1] != b.extents[0])
        detail::raise<shape_error>({"[matmul] the sparse matrix ", a.extents, " does not fit the sparse matrix ",
                                    b.extents, ": ", a.extents[1], " != ", b.extents[0]});
    const detail::csr_pattern left = a.pattern(), right = b.pattern(), product = detail::product_pattern(left, right);
    const auto pair = std::make_shared<const detail::sparse_pair>(detail::sparse_pair{{left, right, product}});
    const auto values = detail::evaluate_as<P>(detail::call1(
        detail::sparse_pair_op<2, 0>{{}, pair}, detail::evaluate_as<C>(a.values), detail::evaluate_as<C>(b.values)));
    return csr_matrix<P, std::remove_cvref_t<decltype(values)>>{product.offsets, product.columns, values,
                                                                product.extents};
}

// What does not fit is refused in a line: the compiler would list every product there is.
template <element T, class V, scalar_value N>
auto matmul(const csr_matrix<T, V>&, const N&) {
    static_assert(always_false<T>, "ricci: a number multiplies a sparse matrix as 2 * a");
    return detail::refused_result();
}
template <element T, class V, class B>
auto matmul(const coo_matrix<T, V>&, const B&) {
    return detail::refused_entries<T>();
}
template <operand A, element T, class V>
auto matmul(const A&, const coo_matrix<T, V>&) {
    return detail::refused_entries<T>();
}
template <element T, class V, element U, class W>
auto matmul(const csr_matrix<T, V>&, const coo_matrix<U, W>&) {
    return detail::refused_entries<T>();
}
namespace linalg {
template <element T, class V, class B>
auto solve(const csr_matrix<T, V>&, const B&) {
    static_assert(
        always_false<T>,
        "ricci: sparse systems are solved by spsolve(a, b) of ricci/scientific.hpp, or by cg, bicgstab and gmres; "
        "small ones as dense ones: linalg::solve(a.to_dense(), b)");
    return detail::refused_result();
}
}  // namespace linalg

}  // namespace ricci
