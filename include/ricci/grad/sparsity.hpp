// The patterns of sparse matrices' entries: given, or found from a function.
#pragma once
#include <vector>

#include "../ops/sparse_sum.hpp"
#include "../vmap/vmap.hpp"
#include "dependence.hpp"

namespace ricci {
namespace detail {

inline tensor<std::int64_t, 1> filled_with(index_t n, std::int64_t value) {
    const auto x = tensor<std::int64_t, 1>::uninitialized({n});
    std::fill_n(x.data(), n, value);
    return x;
}
inline tensor<std::int64_t, 1> copied_from(const std::int64_t* numbers, std::size_t n) {
    const auto x = tensor<std::int64_t, 1>::uninitialized({static_cast<index_t>(n)});
    std::copy_n(numbers, n, x.data());
    return x;
}

}  // namespace detail

/// Where a matrix may have entries other than zero: CSR without values. It keeps copies of what it is made from.
class sparsity_pattern {
   public:
    sparsity_pattern() : entries_{detail::filled_with(1, 0), {}, {}} {}
    /// The entries that are true.
    explicit sparsity_pattern(const tensor<bool, 2>& dense)
        : entries_{detail::filled_with(dense.shape()[0] + 1, 0), {}, dense.shape()} {
        std::int64_t* const offset = entries_.offsets.data();
        const index_t m = dense.shape()[0], n = dense.shape()[1];
        for (index_t i = 0; i < m; ++i) {
            offset[i + 1] = offset[i];
            for (index_t j = 0; j < n; ++j) offset[i + 1] += dense.at(i, j);
        }
        entries_.columns = tensor<std::int64_t, 1>::uninitialized({offset[m]});
        std::int64_t* column = entries_.columns.data();
        for (index_t i = 0; i < m; ++i)
            for (index_t j = 0; j < n; ++j)
                if (dense.at(i, j)) *column++ = j;
    }
    /// From CSR arrays. Throws shape_error when there are not rows + 1 offsets, value_error when they do not rise from
    /// 0 to the number of columns, index_error when the columns of a row are not ascending numbers below the matrix's.
    sparsity_pattern(const tensor<std::int64_t, 1>& row_offsets, const tensor<std::int64_t, 1>& columns,
                     const ricci::shape<2>& extents)
        : sparsity_pattern(detail::csr_pattern{detail::csr_pattern::copied(row_offsets),
                                               detail::csr_pattern::copied(columns), extents}) {}
    /// From a pattern whose arrays nobody else has.
    explicit sparsity_pattern(const detail::csr_pattern& entries) : entries_(entries) { check(); }
    const ricci::shape<2>& shape() const { return entries_.extents; }
    /// The number of entries.
    index_t nnz() const { return entries_.nnz(); }
    const tensor<std::int64_t, 1>& row_offsets() const { return entries_.offsets; }
    const tensor<std::int64_t, 1>& columns() const { return entries_.columns; }
    const detail::csr_pattern& entries() const { return entries_; }
    /// The pattern as a boolean matrix.
    tensor<bool, 2> to_dense() const {
        const auto dense = tensor<bool, 2>::uninitialized(shape());
        std::fill_n(dense.data(), dense.size(), false);
        entries_.for_entries([&](index_t, index_t i, index_t j) { dense.at(i, j) = true; });
        return dense;
    }
    sparsity_pattern transpose() const { return sparsity_pattern(entries_.transpose()); }
    friend bool operator==(const sparsity_pattern& a, const sparsity_pattern& b) {
        return a.shape() == b.shape() && same(a.row_offsets(), b.row_offsets()) && same(a.columns(), b.columns());
    }

   private:
    static bool same(const tensor<std::int64_t, 1>& a, const tensor<std::int64_t, 1>& b) {
        return a.shape() == b.shape() && std::equal(a.data(), a.data() + a.size(), b.data());
    }
    void check() const {
        entries_.check_offsets("sparsity_pattern");
        const std::int64_t *const offset = entries_.offsets.data(), *const column = entries_.columns.data();
        entries_.for_entries([&](index_t k, index_t i, index_t j) {
            if (j < 0 || j >= shape()[1] || (k > offset[i] && column[k - 1] >= j))
                detail::raise<index_error>({"[sparsity_pattern] column ", j, " of row ", i,
                                            ": columns must ascend in a row and be below ", shape()[1]});
        });
    }

    detail::csr_pattern entries_;
};

namespace detail {

/// As many rows of n elements as keep a batch of them near 32 MB of doubles.
inline index_t chunk_of_rows(index_t n) {
    const index_t rows = (index_t(1) << 22) / (n > 0 ? n : 1);
    return rows > 0 ? rows : 1;
}
/// What the functions here demand of f and x.
template <class X>
inline constexpr bool is_plain_vector =
    std::is_void_v<typename X::wrapper> && X::rank == 1 && std::is_same_v<typename X::device_type, cpu_device>;
template <class X>
constexpr void check_sparse_argument() {
    static_assert(
        is_plain_vector<X>,
        "ricci: sparse derivatives are computed at a plain vector on the CPU: a tensor of rank 1, not under a "
        "transform");
    static_assert(!is_complex_v<typename X::value_type>, "ricci: sparse derivatives are those of real functions");
}

}  // namespace detail

/// The pattern of the Jacobian of f, from vectors to vectors, at arguments of x's size: entry (i, j) where element i of
/// the result is computed from element j of x.
///
/// Found by tracing f once for all elements, without looking at values: 0 * x, both branches of `where`, both arguments
/// of `maximum` and all elements under `max` count, comparisons do not. So the pattern is never too small for the
/// course that f took at x, and may be larger than the Jacobian's: where entries cancel, in a product with a constant
/// matrix that has zeros (all its entries count), and after functions whose insides cannot be seen (custom_vjp and
/// custom_jvp: all results by all arguments). What it cannot see: another course of f, when f branches in C++ on its
/// argument's values or sizes, and numbers that f takes out of arrays by item(), which are constants to every
/// derivative. Costs one dense Jacobian in time; of memory, chunks of columns.
template <class F, expression E>
sparsity_pattern jacobian_sparsity(F f, const E& x) {
    const auto a = evaluate(x);
    using X = std::remove_cvref_t<decltype(a)>;
    using T = typename X::value_type;
    detail::check_sparse_argument<X>();
    const detail::traced_dependence<F> traced{f};
    const detail::of_directions push{[&](const auto& v) { return std::get<1>(jvp(traced, a, v)); }};
    const index_t n = a.size(), chunk = detail::chunk_of_rows(n);
    std::vector<std::int64_t> offsets{0}, rows;
    index_t m = -1;
    for (index_t first = 0; first < n || m < 0; first += chunk) {  // once when n is 0: f says the number of rows
        const index_t count = n - first < chunk ? n - first : chunk;
        const auto seeds = zeros<T>({count, n});
        for (index_t k = 0; k < count; ++k) seeds.at(k, first + k) = std::numeric_limits<T>::quiet_NaN();
        const auto marks = evaluate(vmap(push)(seeds));
        static_assert(std::remove_cvref_t<decltype(marks)>::rank == 2,
                      "ricci: sparse Jacobians are of functions from vectors to vectors");
        static_assert(!is_complex_v<typename std::remove_cvref_t<decltype(marks)>::value_type>,
                      "ricci: sparse derivatives are those of real functions");
        m = marks.shape()[1];
        for (index_t k = 0; k < count; ++k) {
            for (index_t i = 0; i < m; ++i)
                if (std::isnan(marks.at(k, i))) rows.push_back(i);
            offsets.push_back(static_cast<std::int64_t>(rows.size()));
        }
    }
    return sparsity_pattern(detail::copied_from(offsets.data(), offsets.size()),
                            detail::copied_from(rows.data(), rows.size()), {n, m})
        .transpose();
}

/// The pattern of the Hessian of f, from vectors to scalars: that of the Jacobian of its gradient, made symmetric. Sums
/// keep their terms apart: sum(sin(x)) has a diagonal.
template <class F, expression E>
sparsity_pattern hessian_sparsity(F f, const E& x) {
    const auto found = jacobian_sparsity(grad(f), x);
    const auto mirrored = found.transpose();
    if (found == mirrored) return found;
    return sparsity_pattern(detail::pattern_union<>(found.entries(), mirrored.entries()).pattern);
}

}  // namespace ricci
