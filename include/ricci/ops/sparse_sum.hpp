// Sums, differences and multiples of sparse matrices.
#pragma once
#include "sparse.hpp"

namespace ricci {
namespace detail {

/// Where two matrices of the same shape have entries, and where the entries of each are among these. (A template, so
/// that only units that add sparse matrices compile it.)
template <class Index = std::int64_t>
struct pattern_union {
    csr_pattern pattern;
    tensor<Index, 1> places[2];

    pattern_union(const csr_pattern& left, const csr_pattern& right)
        : places{tensor<Index, 1>::uninitialized({left.nnz()}), tensor<Index, 1>::uninitialized({right.nnz()})} {
        const auto offsets = tensor<Index, 1>::uninitialized({left.extents[0] + 1});
        auto columns = tensor<Index, 1>::uninitialized({left.nnz() + right.nnz()});
        const Index *const l_column = left.columns.data(), *const r_column = right.columns.data();
        Index *const l_place = places[0].data(), *const r_place = places[1].data(), *const column = columns.data();
        constexpr Index behind = std::numeric_limits<Index>::max();
        Index n = 0;
        offsets.data()[0] = 0;
        for (index_t i = 0, l = 0, r = 0; i < left.extents[0]; ++i) {
            const index_t l_end = left.offsets.data()[i + 1], r_end = right.offsets.data()[i + 1];
            for (; l < l_end || r < r_end; ++n) {
                const Index of_left = l < l_end ? l_column[l] : behind, of_right = r < r_end ? r_column[r] : behind;
                column[n] = std::min(of_left, of_right);
                if (of_left <= of_right) l_place[l++] = n;
                if (of_right <= of_left) r_place[r++] = n;
            }
            offsets.data()[i + 1] = n;
        }
        if (n < columns.size()) columns = columns(slice(0, n)).clone();
        pattern = {offsets, columns, left.extents};
    }
    /// An array, new or `others` itself, with `values` of one side added at their places.
    template <class X, class V>
    auto add(const X& others, int side, const V& values) const {
        if constexpr (std::is_same_v<X, V> && std::is_void_v<typename V::wrapper>) {
            const auto v = dense_of(values);
            for (index_t k = 0; k < v.size(); ++k) others.data()[places[side].data()[k]] += v.data()[k];
            return others;
        } else {
            return index_put(others, std::make_tuple(places[side]), values, true);
        }
    }
};

/// a + b, or a - b where F says so, of the values of one pattern.
template <class T, class V, class U, class W, class F>
auto sparse_sum(const csr_matrix<T, V>& a, const csr_matrix<U, W>& b, const char* name, const F& signed_values) {
    using P = promote_t<T, U>;
    if (a.extents != b.extents)
        raise<shape_error>({"[", name, "] sparse matrices of shapes ", a.extents, " and ", b.extents, " differ"});
    const pattern_union<> both(a.pattern(), b.pattern());
    const auto zero = zeros<P>({both.pattern.nnz()});
    const auto values =
        evaluate(both.add(both.add(zero, 0, evaluate_as<P>(a.values)), 1, signed_values(evaluate_as<P>(b.values))));
    return csr_matrix<P, std::remove_cvref_t<decltype(values)>>{both.pattern.offsets, both.pattern.columns, values,
                                                                a.extents};
}
template <class N>
struct refused_sparse_operand : refused_result {
    static_assert(
        always_false<N>,
        "ricci: a sparse matrix takes + and - with sparse ones and * and / with a number; products are "
        "matmul(a, x) or, element by element, multiply(a, x), and what has no zeros is dense: a.to_dense() + x");
};

}  // namespace detail

/// Sum of two sparse matrices of the same shape: its entries are where either has one, those that cancel included.
/// Linear in the values of each, and differentiable in both, to any order. Throws shape_error when the shapes differ,
/// and where a matrix's arrays are no CSR pattern.
template <element T, class V, element U, class W>
auto operator+(const csr_matrix<T, V>& a, const csr_matrix<U, W>& b) {
    return detail::sparse_sum(a, b, "add", [](const auto& v) { return v; });
}
/// Difference of two sparse matrices, as their sum is.
template <element T, class V, element U, class W>
auto operator-(const csr_matrix<T, V>& a, const csr_matrix<U, W>& b) {
    return detail::sparse_sum(a, b, "subtract", [](const auto& v) { return evaluate(-v); });
}
template <element T, class V>
auto operator-(const csr_matrix<T, V>& a) {
    return a.with_values(-a.values);
}
/// A multiple of a sparse matrix: by a number, or an array of rank 0.
template <element T, class V, operand N>
auto operator*(const csr_matrix<T, V>& a, const N& n) {
    if constexpr (detail::is_number<N>) return a.with_values(a.values * n);
    else return detail::refused_sparse_operand<N>();
}
template <element T, class V, operand N>
auto operator*(const N& n, const csr_matrix<T, V>& a) {
    return a * n;
}
template <element T, class V, operand N>
auto operator/(const csr_matrix<T, V>& a, const N& n) {
    if constexpr (detail::is_number<N>) return a.with_values(a.values / n);
    else return detail::refused_sparse_operand<N>();
}

/// The sum of a sparse matrix's entries, or of each column (axis 0) or row (axis 1), an array of rank 1; integers as
/// 64-bit ones. Linear in the values, and differentiable. Throws index_error for an axis out of range. (scipy.sparse's
/// a.sum(axis).)
template <element T, class V>
auto sum(const csr_matrix<T, V>& a) {
    return sum(a.values);
}
template <element T, class V, std::integral Axis>
auto sum(const csr_matrix<T, V>& a, Axis axis) {
    const int d = detail::normalize_axis(detail::axis_number(axis), 2, "sum");
    const auto weights = ones<detail::sum_type<T>>({a.extents[d]});
    return d == 0 ? matmul(weights, a) : matmul(a, weights);
}

// What would be dense, or could be meant in two ways, is refused in a line.
template <element T, class V, operand N>
auto operator+(const csr_matrix<T, V>&, const N&) {
    return detail::refused_sparse_operand<N>();
}
template <element T, class V, operand N>
auto operator+(const N&, const csr_matrix<T, V>&) {
    return detail::refused_sparse_operand<N>();
}
template <element T, class V, operand N>
auto operator-(const csr_matrix<T, V>&, const N&) {
    return detail::refused_sparse_operand<N>();
}
template <element T, class V, operand N>
auto operator-(const N&, const csr_matrix<T, V>&) {
    return detail::refused_sparse_operand<N>();
}
template <element T, class V, element U, class W>
auto operator*(const csr_matrix<T, V>&, const csr_matrix<U, W>&) {
    return detail::refused_sparse_operand<T>();
}
#define RICCI_REFUSE_ENTRIES(op)                                         \
    template <element T, class V, class B>                               \
    auto operator op(const coo_matrix<T, V>&, const B&) {                \
        return detail::refused_entries<T>();                             \
    }                                                                    \
    template <operand A, element T, class V>                             \
    auto operator op(const A&, const coo_matrix<T, V>&) {                \
        return detail::refused_entries<T>();                             \
    }                                                                    \
    template <element T, class V, element U, class W>                    \
    auto operator op(const csr_matrix<T, V>&, const coo_matrix<U, W>&) { \
        return detail::refused_entries<T>();                             \
    }
RICCI_REFUSE_ENTRIES(+)
RICCI_REFUSE_ENTRIES(-)
RICCI_REFUSE_ENTRIES(*)
RICCI_REFUSE_ENTRIES(/)
#undef RICCI_REFUSE_ENTRIES

}  // namespace ricci
