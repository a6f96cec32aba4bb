// Functions of sparse matrices that arrays have too: transposes, traces, norms, means, extrema, changes in place.
#pragma once
#include <limits>

#include "linalg/norms.hpp"
#include "reduce.hpp"
#include "sparse_structure.hpp"
#include "sparse_sum.hpp"

namespace ricci {
namespace detail {

/// The matrix with one entry at each place, the sum of those that are there.
template <class T, class V>
csr_matrix<T, V> one_entry_a_place(const csr_matrix<T, V>& a) {
    const csr_pattern p = a.pattern();
    const std::int64_t *const offset = p.offsets.data(), *const column = p.columns.data();
    for (index_t i = 0; i < a.extents[0]; ++i)
        for (index_t k = offset[i] + 1; k < offset[i + 1]; ++k)
            if (column[k] == column[k - 1]) return coo_matrix<T, V>{p.rows(), p.columns, a.values, a.extents}.to_csr();
    return a;
}
/// The extremum of the elements, of which those without an entry are 0.
template <class T, class V, class F>
auto sparse_extremum(const csr_matrix<T, V>& given, const char* name, F extremum) {
    const auto a = one_entry_a_place(given);
    const index_t m = a.extents[0], n = a.extents[1];
    if (m == 0 || n == 0) raise<value_error>({"[", name, "] a sparse matrix of shape ", a.extents, " has no elements"});
    const bool has_all = a.nnz() % m == 0 && a.nnz() / m == n;
    return evaluate(extremum(concat(std::make_tuple(a.values, zeros<T>({has_all ? 0 : 1})), 0)));
}

}  // namespace detail

/// a.transpose().
template <element T, class V>
auto transpose(const csr_matrix<T, V>& a) {
    return a.transpose();
}
template <element T, class V>
auto matrix_transpose(const csr_matrix<T, V>& a) {
    return a.transpose();
}
/// The sum of the k-th diagonal. Linear in the values.
template <element T, class V>
auto trace(const csr_matrix<T, V>& a, index_t k = 0) {
    return sum(diagonal(a, k));
}
/// Elements converted as astype converts an array's.
template <element U, element T, class V>
auto astype(const csr_matrix<T, V>& a) {
    return a.with_values(astype<U>(a.values));
}
/// The absolute value of each element: abs of an array.
template <element T, class V>
auto abs(const csr_matrix<T, V>& a) {
    const auto one = detail::one_entry_a_place(a);
    return one.with_values(abs(one.values));
}
/// The conjugate of each element.
template <element T, class V>
auto conj(const csr_matrix<T, V>& a) {
    return a.with_values(conj(a.values));
}
/// The Frobenius norm, sqrt(sum |a_ij|^2), its derivative norm's of an array.
template <element T, class V>
auto norm(const csr_matrix<T, V>& a) {
    return norm(detail::one_entry_a_place(a).values);
}
/// The largest element; NaN if any is NaN. Elements that tie share the derivative evenly, all of those without an entry
/// as one. Throws value_error where there is no element. (scipy.sparse's a.max().)
template <element T, class V>
auto max(const csr_matrix<T, V>& a) {
    return detail::sparse_extremum(a, "max", [](const auto& v) { return max(v); });
}
/// The smallest, as max.
template <element T, class V>
auto min(const csr_matrix<T, V>& a) {
    return detail::sparse_extremum(a, "min", [](const auto& v) { return min(v); });
}
/// The mean of all elements, zeros included, or of each column (axis 0) or row (axis 1). Integers give double, none NaN.
/// (scipy.sparse's a.mean(axis).)
template <element T, class V>
auto mean(const csr_matrix<T, V>& a) {
    using U = inexact_t<T>;
    return evaluate(detail::as_type<U>(sum(a)) / static_cast<real_t<U>>(a.extents[0] * a.extents[1]));
}
template <element T, class V, std::integral Axis>
auto mean(const csr_matrix<T, V>& a, Axis axis) {
    using U = inexact_t<T>;
    const int d = detail::normalize_axis(detail::axis_number(axis), 2, "mean");
    return evaluate(detail::as_type<U>(sum(a, d)) / static_cast<real_t<U>>(a.extents[d]));
}

namespace linalg {
template <element T, class V>
auto norm(const csr_matrix<T, V>& a) {
    return ricci::norm(a);
}
template <element T, class V>
auto trace(const csr_matrix<T, V>& a, index_t k = 0) {
    return ricci::trace(a, k);
}
}  // namespace linalg

// Changes in place. A multiple is written to the array of the values, which copies of the matrix share; a sum has
// another pattern, and the matrix becomes it.
template <element T, class V, class N>
csr_matrix<T, V>& operator*=(csr_matrix<T, V>& a, const N& n) {
    if constexpr (detail::is_number<N>) a.values *= n;
    else detail::refused_sparse_operand<N>();
    return a;
}
template <element T, class V, class N>
csr_matrix<T, V>& operator/=(csr_matrix<T, V>& a, const N& n) {
    if constexpr (detail::is_number<N>) a.values /= n;
    else detail::refused_sparse_operand<N>();
    return a;
}
template <element T, class V, class B>
csr_matrix<T, V>& operator+=(csr_matrix<T, V>& a, const B& b) {
    return a = a + b;
}
template <element T, class V, class B>
csr_matrix<T, V>& operator-=(csr_matrix<T, V>& a, const B& b) {
    return a = a - b;
}

}  // namespace ricci
