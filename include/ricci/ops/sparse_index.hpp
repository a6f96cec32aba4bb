// Parts of sparse matrices: rows, columns, blocks, and single entries.
#pragma once
#include <vector>

#include "sparse.hpp"

namespace ricci {
namespace detail {

/// The positions that an index names along an axis of n: all, a slice, or integers that count from the end where they
/// are negative.
template <class I>
std::vector<std::int64_t> positions_along(const I& index_of, index_t n, int axis) {
    std::vector<std::int64_t> at;
    if constexpr (expression<I>) {
        static_assert(
            I::rank == 1 && std::is_integral_v<typename I::value_type> && !std::is_same_v<typename I::value_type, bool>,
            "ricci: rows and columns of a sparse matrix are named by all, slices and vectors of integers");
        const auto k = evaluate(index_of).clone();
        for (index_t i = 0; i < k.size(); ++i) {
            const auto p = static_cast<std::int64_t>(k.data()[i]);
            if (p < -n || p >= n)
                raise<index_error>({"[csr_matrix] index ", p, " is out of bounds for axis ", axis, " with size ", n});
            at.push_back(p < 0 ? p + n : p);
        }
    } else {
        const auto k = evaluate(index(arange<std::int64_t>(n), index_of)).clone();
        at.assign(k.data(), k.data() + k.size());
    }
    return at;
}
/// Which entries of a pattern are in some rows and columns, and the pattern that they have there.
struct pattern_part {
    csr_pattern pattern;
    tensor<std::int64_t, 1> entries;
};
template <class Positions>
pattern_part part_of_pattern(const csr_pattern& p, const Positions& rows, const Positions& columns) {
    // where each column goes, several times perhaps: those of column j are to[begin[j]] ... to[begin[j + 1] - 1]
    std::vector<std::int64_t> begin(static_cast<std::size_t>(p.extents[1] + 2)), to(columns.size());
    for (const std::int64_t j : columns) ++begin[static_cast<std::size_t>(j) + 2];
    for (std::size_t j = 2; j < begin.size(); ++j) begin[j] += begin[j - 1];
    for (std::size_t k = 0; k < columns.size(); ++k)
        to[static_cast<std::size_t>(begin[static_cast<std::size_t>(columns[k]) + 1]++)] = static_cast<std::int64_t>(k);
    const auto offsets = tensor<std::int64_t, 1>::uninitialized({static_cast<index_t>(rows.size()) + 1});
    std::vector<std::pair<std::int64_t, std::int64_t>> row;  // column and entry
    std::vector<std::int64_t> column_of, entries;
    offsets.data()[0] = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        row.clear();
        for (std::int64_t e = p.offsets.data()[rows[i]]; e < p.offsets.data()[rows[i] + 1]; ++e) {
            const auto j = static_cast<std::size_t>(p.columns.data()[e]);
            for (std::int64_t k = begin[j]; k < begin[j + 1]; ++k) row.emplace_back(to[static_cast<std::size_t>(k)], e);
        }
        std::sort(row.begin(), row.end());
        for (const auto& [j, e] : row) {
            column_of.push_back(j);
            entries.push_back(e);
        }
        offsets.data()[i + 1] = static_cast<std::int64_t>(entries.size());
    }
    return {{offsets, from_span(column_of), {static_cast<index_t>(rows.size()), static_cast<index_t>(columns.size())}},
            from_span(entries)};
}
template <class M, class I, class J>
auto sparse_part(const M& a, const I& i, const J& j) {
    const csr_pattern pattern = a.pattern();
    const pattern_part part =
        part_of_pattern(pattern, positions_along(i, a.extents[0], 0), positions_along(j, a.extents[1], 1));
    const auto values = evaluate(index_select(a.values, 0, part.entries));
    using X = std::remove_cvref_t<decltype(values)>;
    return csr_matrix<typename X::value_type, X>{part.pattern.offsets, part.pattern.columns, values,
                                                 part.pattern.extents};
}
/// One element: the sum of the entries there. An expression, since what were written to an array of it would not reach
/// the matrix.
template <class M>
auto sparse_element(const M& a, index_t i, index_t j) {
    const auto inside = [&](index_t k, int axis) {
        const index_t n = a.extents[axis];
        if (k < -n || k >= n)
            raise<index_error>({"[csr_matrix] index ", k, " is out of bounds for axis ", axis, " with size ", n});
        return std::vector<std::int64_t>{k < 0 ? k + n : k};
    };
    const auto part = part_of_pattern(a.pattern(), inside(i, 0), inside(j, 1));
    return positive(evaluate(sum(index_select(a.values, 0, part.entries))));
}

}  // namespace detail
}  // namespace ricci
