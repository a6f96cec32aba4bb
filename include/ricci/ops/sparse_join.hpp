// Sparse matrices that are joined: concat, vstack, hstack, block_diag.
#pragma once
#include <array>
#include <tuple>
#include <vector>

#include "join.hpp"
#include "sparse.hpp"

namespace ricci {
namespace detail {

template <class L>
inline constexpr bool is_sparse_list = false;
template <element T, class V>
inline constexpr bool is_sparse_list<std::vector<csr_matrix<T, V>>> = true;
template <element T, class V, std::size_t N>
inline constexpr bool is_sparse_list<std::array<csr_matrix<T, V>, N>> = true;
template <element... T, class... V>
inline constexpr bool is_sparse_list<std::tuple<csr_matrix<T, V>...>> = true;
/// A list of sparse matrices in compressed rows.
template <class L>
concept sparse_list = is_sparse_list<L>;

/// Patterns below each other, side by side, or along the diagonal, and of which entry of all of them, laid end to end,
/// each is. (A template, as pattern_union is.)
template <class Index = std::int64_t>
struct joined_pattern {
    csr_pattern pattern;
    tensor<Index, 1> entries;

    joined_pattern(const std::vector<csr_pattern>& parts, bool below, bool beside, const char* who) {
        if (parts.empty()) raise<value_error>({"[", who, "] needs at least one matrix"});
        shape<2> extents{below ? 0 : parts[0].extents[0], beside ? 0 : parts[0].extents[1]};
        index_t count = 0;
        for (const csr_pattern& p : parts) {
            for (int d = 0; d < 2; ++d) {
                if (d == 0 ? below : beside) extents[d] += p.extents[d];
                else if (p.extents[d] != extents[d])
                    raise<shape_error>({"[", who, "] sparse matrices of shapes ", parts[0].extents, " and ", p.extents,
                                        " differ in axis ", d});
            }
            count += p.nnz();
        }
        const auto offsets = tensor<Index, 1>::uninitialized({extents[0] + 1}),
                   columns = tensor<Index, 1>::uninitialized({count});
        entries = tensor<Index, 1>::uninitialized({count});
        index_t row = 0, at = 0;
        const auto append = [&](const csr_pattern& p, index_t i, index_t first_column, index_t first_entry) {
            for (Index k = p.offsets.data()[i]; k < p.offsets.data()[i + 1]; ++k, ++at) {
                columns.data()[at] = p.columns.data()[k] + first_column;
                entries.data()[at] = first_entry + k;
            }
        };
        offsets.data()[0] = 0;
        if (below) {
            index_t column = 0, entry = 0;
            for (const csr_pattern& p : parts) {
                for (index_t i = 0; i < p.extents[0]; ++i) {
                    append(p, i, column, entry);
                    offsets.data()[++row] = at;
                }
                if (beside) column += p.extents[1];
                entry += p.nnz();
            }
        } else {
            for (index_t i = 0; i < extents[0]; ++i) {
                index_t column = 0, entry = 0;
                for (const csr_pattern& p : parts) {
                    append(p, i, column, entry);
                    column += p.extents[1];
                    entry += p.nnz();
                }
                offsets.data()[++row] = at;
            }
        }
        pattern = {offsets, columns, extents};
    }
};

template <class List>
auto join_sparse(const List& matrices, bool below, bool beside, const char* who) {
    std::vector<csr_pattern> patterns;
    const auto values = [&] {
        if constexpr (requires { matrices.begin(); }) {
            std::vector<decltype(matrices.begin()->values)> all;
            for (const auto& a : matrices) {
                patterns.push_back(a.pattern());
                all.push_back(a.values);
            }
            if (all.empty()) raise<value_error>({"[", who, "] needs at least one matrix"});
            return evaluate(concat(all, 0));
        } else {
            return std::apply(
                [&](const auto&... a) {
                    (patterns.push_back(a.pattern()), ...);
                    return evaluate(concat(std::make_tuple(a.values...), 0));
                },
                matrices);
        }
    }();
    const joined_pattern<> joined(patterns, below, beside, who);
    const auto moved = below ? values : evaluate(index_select(values, 0, joined.entries));
    using X = std::remove_cvref_t<decltype(values)>;
    return csr_matrix<typename X::value_type, X>{joined.pattern.offsets, joined.pattern.columns, moved,
                                                 joined.pattern.extents};
}

}  // namespace detail

/// Sparse matrices of a list - braces, a tuple, a vector - below each other (axis 0) or side by side (axis 1). Linear in
/// the values of each. Throws shape_error where they differ in the other axis, value_error for an empty list.
template <detail::sparse_list List>
auto concat(const List& matrices, int axis = 0) {
    const int d = detail::normalize_axis(axis, 2, "concat");
    return detail::join_sparse(matrices, d == 0, d == 1, "concat");
}
/// Below each other. (scipy.sparse.vstack.)
template <detail::sparse_list List>
auto vstack(const List& matrices) {
    return detail::join_sparse(matrices, true, false, "vstack");
}
/// Side by side. (scipy.sparse.hstack.)
template <detail::sparse_list List>
auto hstack(const List& matrices) {
    return detail::join_sparse(matrices, false, true, "hstack");
}
/// Along the diagonal, with zeros beside them. (scipy.sparse.block_diag.)
template <element T, class V, element... U, class... W>
auto block_diag(const csr_matrix<T, V>& first, const csr_matrix<U, W>&... others) {
    return detail::join_sparse(std::make_tuple(first, others...), true, true, "block_diag");
}
#define RICCI_JOIN_BRACES(function)                                            \
    template <element T, class V, std::size_t N, class... Axis>                \
    auto function(const csr_matrix<T, V>(&matrices)[N], const Axis&... axis) { \
        return function(std::vector(matrices, matrices + N), axis...);         \
    }
RICCI_JOIN_BRACES(concat)
RICCI_JOIN_BRACES(vstack)
RICCI_JOIN_BRACES(hstack)
#undef RICCI_JOIN_BRACES

}  // namespace ricci
