// Products of two sparse matrices of fixed patterns, as ops on their values; CPU only.
#pragma once
#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "../../expr/index.hpp"
#include "sparse_product.hpp"

namespace ricci::detail {

/// The patterns of two factors and of their product, in this order.
struct sparse_pair {
    csr_pattern pattern[3];

    /// Calls f(a, b, c) for every two entries a and b of the factors that meet in entry c of the product, row by row
    /// (Gustavson 1978). `place` has room for each column of the product.
    template <class F>
    void for_meetings(std::vector<std::int64_t>& place, const F& f) const {
        const auto& [left, right, product] = pattern;
        const std::int64_t *a_row = left.offsets.data(), *a_column = left.columns.data();
        const std::int64_t *b_row = right.offsets.data(), *b_column = right.columns.data();
        const std::int64_t *c_row = product.offsets.data(), *c_column = product.columns.data();
        for (index_t i = 0; i < product.extents[0]; ++i) {
            for (index_t c = c_row[i]; c < c_row[i + 1]; ++c) place[static_cast<std::size_t>(c_column[c])] = c;
            for (index_t a = a_row[i]; a < a_row[i + 1]; ++a)
                for (index_t b = b_row[a_column[a]]; b < b_row[a_column[a] + 1]; ++b)
                    f(a, b, place[static_cast<std::size_t>(b_column[b])]);
        }
    }
};

/// Sets of columns, one after another, taken in ascending order: a bit for each column, and one for each word of these.
/// (A template, as the pattern is: no others compile them.)
template <class Column = std::int64_t>
class column_set {
   public:
    explicit column_set(index_t columns)
        : bits_(static_cast<std::size_t>(columns) / 64 + 1), words_(bits_.size() / 64 + 1), first_(words_.size()) {}
    void insert(Column column) {
        const std::size_t word = static_cast<std::size_t>(column) / 64, group = word / 64;
        bits_[word] |= std::uint64_t(1) << (column % 64);
        words_[group] |= std::uint64_t(1) << (word % 64);
        first_ = std::min(first_, group);
        end_ = std::max(end_, group + 1);
    }
    /// Writes all columns to `to`, gives the end of them, and is empty again.
    Column* move_to(Column* to) {
        for (std::size_t g = first_; g < end_; ++g) {
            for (std::uint64_t words = words_[g]; words != 0; words &= words - 1) {
                const std::size_t w = g * 64 + static_cast<std::size_t>(std::countr_zero(words));
                for (std::uint64_t bits = bits_[w]; bits != 0; bits &= bits - 1)
                    *to++ = static_cast<Column>(w * 64) + std::countr_zero(bits);
                bits_[w] = 0;
            }
            words_[g] = 0;
        }
        first_ = words_.size();
        end_ = 0;
        return to;
    }

   private:
    std::vector<std::uint64_t> bits_, words_;
    std::size_t first_, end_ = 0;  // of the groups of words that have columns
};

/// Where the product of two sparse matrices can have entries, whatever the values are.
template <class Column = std::int64_t>
csr_pattern product_pattern(const csr_pattern& left, const csr_pattern& right) {
    const std::int64_t *a_row = left.offsets.data(), *a_column = left.columns.data();
    const std::int64_t *b_row = right.offsets.data(), *b_column = right.columns.data();
    const index_t m = left.extents[0], width = right.extents[1];
    const auto offsets = tensor<std::int64_t, 1>::uninitialized({m + 1});
    auto columns = tensor<Column, 1>::uninitialized({left.nnz() + right.nnz()});
    column_set<Column> row(width);
    index_t n = offsets.data()[0] = 0;
    for (index_t i = 0; i < m; ++i) {
        index_t meetings = 0;
        for (index_t a = a_row[i]; a < a_row[i + 1]; ++a) {
            const index_t first = b_row[a_column[a]], end = b_row[a_column[a] + 1];
            for (index_t b = first; b < end; ++b) row.insert(b_column[b]);
            meetings += end - first;
        }
        if (const index_t most = n + std::min(meetings, width); most > columns.size()) {
            const auto more = tensor<Column, 1>::uninitialized({std::max(most, 2 * columns.size())});
            std::copy_n(columns.data(), n, more.data());
            columns = more;
        }
        n = offsets.data()[i + 1] = row.move_to(columns.data() + n) - columns.data();
    }
    return {offsets, columns(slice(0, n)).clone(), {m, width}};
}

/// Of A B = C the values (batch..., nnz) of C, where Result is 2, by those of A and of B. Their adjoints are sums over
/// the same meetings: those of A, where it is 0, by B and C, and those of B, where it is 1, by A and C.
template <int Result, int Batch>
struct sparse_pair_op : bilinear_op<sparse_pair_op<Result, Batch>> {
    static constexpr const char* name = "sparse product";
    static constexpr int first = Result == 0 ? 1 : 0, second = Result == 2 ? 1 : 2;
    std::shared_ptr<const sparse_pair> pair;

    template <class X, class Y>
    shape<Batch + 1> result_shape(const X& x, const Y& y) const {
        return batch_of<Batch, 1>(common_batch<Batch>(x, y), {pair->pattern[Result].nnz()});
    }
    template <class X, class Y>
    auto value(const X& first_values, const Y& second_values) const {
        using T = typename X::value_type;
        static_assert(std::is_same_v<typename X::device_type, cpu_device>, "ricci: sparse matrices are on the CPU");
        for (const csr_pattern& p : pair->pattern) p.check_unchanged();
        const auto x = dense_members<Batch>(first_values);
        const auto y = dense_members<Batch>(second_values);
        const auto z = tensor<T, Batch + 1>::uninitialized(result_shape(x, y));
        std::fill_n(z.data(), z.size(), T(0));
        const shape<Batch> batch = common_batch<Batch>(x, y);
        std::vector<std::int64_t> place(static_cast<std::size_t>(pair->pattern[2].extents[1]));
        for (index_t i = 0, count = z.size() > 0 ? batch.count() : 0; i < count; ++i)
            add_products(x.data() + member_offset(x, batch, i), y.data() + member_offset(y, batch, i),
                         z.data() + i * z.shape()[Batch], place);
        return make_pack(z);
    }
    template <class X, class Y, class Z>
    auto left_adjoint(const X& x, const Y& y, const Z& z_bar) const {
        return adjoint_of<first, second>(z_bar, y, x.shape());
    }
    template <class X, class Y, class Z>
    auto right_adjoint(const X& x, const Y& y, const Z& z_bar) const {
        return adjoint_of<second, first>(z_bar, x, y.shape());
    }
    auto batched() const { return sparse_pair_op<Result, Batch + 1>{{}, pair}; }

   private:
    template <int Of, int Other, class Z, class X, int R>
    auto adjoint_of(const Z& z_bar, const X& other, const shape<R>& extents) const {
        const sparse_pair_op<Of, Batch> op{{}, pair};
        if constexpr (Result < Other) return sum_to(call1(op, z_bar, other), extents);
        else return sum_to(call1(op, other, z_bar), extents);
    }
    template <class T>
    void add_products(const T* x, const T* y, T* z, std::vector<std::int64_t>& place) const {
        pair->for_meetings(place, [&](index_t a, index_t b, index_t c) {
            const index_t at[] = {a, b, c};
            add_product(z[at[Result]], x[at[first]], y[at[second]]);
        });
    }
};

}  // namespace ricci::detail
