// The patterns of sparse matrices' entries: given, or found from a function.
#pragma once
#include <vector>

#include "../ops/sparse.hpp"
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
///
/// It is no template, so that what it does is compiled wherever this is included: hence loops and no expressions, and tensors,
/// which units have anyway, in the place of std::vectors.
class sparsity_pattern {
   public:
    sparsity_pattern() : row_offsets_(detail::filled_with(1, 0)) {}
    /// The entries that are true.
    explicit sparsity_pattern(const tensor<bool, 2>& dense)
        : extents_(dense.shape()), row_offsets_(detail::filled_with(extents_[0] + 1, 0)) {
        std::int64_t* const offset = row_offsets_.data();
        for (index_t i = 0; i < extents_[0]; ++i) {
            offset[i + 1] = offset[i];
            for (index_t j = 0; j < extents_[1]; ++j) offset[i + 1] += dense.at(i, j);
        }
        columns_ = tensor<std::int64_t, 1>::uninitialized({offset[extents_[0]]});
        std::int64_t* column = columns_.data();
        for (index_t i = 0; i < extents_[0]; ++i)
            for (index_t j = 0; j < extents_[1]; ++j)
                if (dense.at(i, j)) *column++ = j;
    }
    /// From CSR arrays. Throws shape_error when there are not rows + 1 offsets, value_error when they do not rise from
    /// 0 to the number of columns, index_error when the columns of a row are not ascending numbers below the matrix's.
    sparsity_pattern(const tensor<std::int64_t, 1>& row_offsets, const tensor<std::int64_t, 1>& columns,
                     const ricci::shape<2>& extents)
        : extents_(extents), row_offsets_(copied(row_offsets)), columns_(copied(columns)) {
        check();
    }
    const ricci::shape<2>& shape() const { return extents_; }
    /// The number of entries.
    index_t nnz() const { return columns_.size(); }
    const tensor<std::int64_t, 1>& row_offsets() const { return row_offsets_; }
    const tensor<std::int64_t, 1>& columns() const { return columns_; }
    /// The pattern as a boolean matrix.
    tensor<bool, 2> to_dense() const {
        const auto dense = tensor<bool, 2>::uninitialized(extents_);
        std::fill_n(dense.data(), dense.size(), false);
        for_entries([&](index_t, index_t i, index_t j) { dense.at(i, j) = true; });
        return dense;
    }
    /// The pattern of the transpose, by counting.
    sparsity_pattern transpose() const {
        sparsity_pattern t;
        t.extents_ = {extents_[1], extents_[0]};
        t.row_offsets_ = detail::filled_with(extents_[1] + 1, 0);
        t.columns_ = tensor<std::int64_t, 1>::uninitialized({nnz()});
        std::int64_t *const offset = t.row_offsets_.data(), *const row = t.columns_.data();
        detail::count_rows(columns_.data(), nnz(), offset, extents_[1]);
        const auto next = copied(t.row_offsets_);
        for_entries([&, at = next.data()](index_t, index_t i, index_t j) { row[at[j]++] = i; });
        return t;
    }
    friend bool operator==(const sparsity_pattern& a, const sparsity_pattern& b) {
        return a.extents_ == b.extents_ && same(a.row_offsets_, b.row_offsets_) && same(a.columns_, b.columns_);
    }
    /// visit(k, i, j) for each entry k, at row i and column j.
    template <class F>
    void for_entries(const F& visit) const {
        for (index_t i = 0; i < extents_[0]; ++i)
            for (index_t k = row_offsets_.data()[i]; k < row_offsets_.data()[i + 1]; ++k)
                visit(k, i, columns_.data()[k]);
    }

   private:
    static tensor<std::int64_t, 1> copied(const tensor<std::int64_t, 1>& numbers) {
        const auto x = tensor<std::int64_t, 1>::uninitialized(numbers.shape());
        for (index_t k = 0; k < x.size(); ++k) x.data()[k] = numbers.at(k);
        return x;
    }
    static bool same(const tensor<std::int64_t, 1>& a, const tensor<std::int64_t, 1>& b) {
        if (!(a.shape() == b.shape())) return false;
        for (index_t k = 0; k < a.size(); ++k)
            if (a.data()[k] != b.data()[k]) return false;
        return true;
    }
    void check() const {
        detail::check_extents(extents_, 1, "sparsity_pattern");
        if (row_offsets_.size() != extents_[0] + 1)
            detail::raise<shape_error>({"[sparsity_pattern] a matrix of shape ", extents_, " needs ", extents_[0] + 1,
                                        " row offsets, not ", row_offsets_.size()});
        const std::int64_t* offset = row_offsets_.data();
        bool rises = offset[0] == 0 && offset[extents_[0]] == nnz();
        for (index_t i = 0; i < extents_[0]; ++i) rises = rises && offset[i] <= offset[i + 1];
        if (!rises) detail::raise<value_error>({"[sparsity_pattern] row offsets must rise from 0 to ", nnz()});
        for_entries([&](index_t k, index_t i, index_t j) {
            if (j < 0 || j >= extents_[1] || (k > offset[i] && columns_.data()[k - 1] >= j))
                detail::raise<index_error>({"[sparsity_pattern] column ", j, " of row ", i,
                                            ": columns must ascend in a row and be below ", extents_[1]});
        });
    }

    ricci::shape<2> extents_;
    tensor<std::int64_t, 1> row_offsets_, columns_;
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
    std::vector<std::int64_t> offsets{0}, columns;
    for (index_t i = 0; i < found.shape()[0]; ++i) {
        index_t a = found.row_offsets().at(i), b = mirrored.row_offsets().at(i);
        const index_t a_end = found.row_offsets().at(i + 1), b_end = mirrored.row_offsets().at(i + 1);
        while (a < a_end || b < b_end) {
            const std::int64_t p = a < a_end ? found.columns().at(a) : found.shape()[1];
            const std::int64_t q = b < b_end ? mirrored.columns().at(b) : found.shape()[1];
            columns.push_back(p < q ? p : q);
            a += p <= q;
            b += q <= p;
        }
        offsets.push_back(static_cast<std::int64_t>(columns.size()));
    }
    return sparsity_pattern(detail::copied_from(offsets.data(), offsets.size()),
                            detail::copied_from(columns.data(), columns.size()), found.shape());
}

}  // namespace ricci
