// Products of a sparse matrix of a fixed pattern, as ops on its values and a dense array; CPU only.
#pragma once
#include <vector>

#include "../../cpu/executor.hpp"
#include "../../cpu/sparse_rows.hpp"
#include "bilinear.hpp"

namespace ricci::detail {

/// Where each of n rows begins among entries in order of their rows, and behind the last one the end; `offset` is n + 1
/// zeros.
inline void count_rows(const std::int64_t* row, index_t entries, std::int64_t* offset, index_t n) {
    for (index_t k = 0; k < entries; ++k) ++offset[row[k] + 1];
    for (index_t i = 0; i < n; ++i) offset[i + 1] += offset[i];
}
/// Which entries a matrix has: rows + 1 offsets and ascending columns, dense arrays. No template, so that what it does
/// is compiled wherever this is included: hence loops, and tensors, which units have anyway, in the place of
/// expressions and std::vectors.
struct csr_pattern {
    tensor<std::int64_t, 1> offsets, columns;
    shape<2> extents;
    std::uint32_t versions[2] = {offsets.memory().version(), columns.memory().version()};

    index_t nnz() const { return columns.size(); }
    /// visit(k, i, j) for each entry k, at row i and column j.
    template <class F>
    void for_entries(const F& visit) const {
        const std::int64_t *const offset = offsets.data(), *const column = columns.data();
        for (index_t i = 0; i < extents[0]; ++i)
            for (index_t k = offset[i]; k < offset[i + 1]; ++k) visit(k, i, column[k]);
    }
    tensor<std::int64_t, 1> rows() const {
        const auto r = tensor<std::int64_t, 1>::uninitialized({nnz()});
        for_entries([row = r.data()](index_t k, index_t i, std::int64_t) { row[k] = i; });
        return r;
    }
    /// The pattern of the transpose, by counting; moved(k, to) for each entry k, which is entry `to` there.
    template <class F>
    csr_pattern transpose(const F& moved) const {
        using numbers = tensor<std::int64_t, 1>;
        const auto begins = numbers::uninitialized({extents[1] + 1}), row = numbers::uninitialized({nnz()});
        std::fill_n(begins.data(), begins.size(), std::int64_t(0));
        count_rows(columns.data(), nnz(), begins.data(), extents[1]);
        std::vector<std::int64_t> next(begins.data(), begins.data() + extents[1]);
        for_entries([&, at = next.data(), row_of = row.data()](index_t k, index_t i, std::int64_t j) {
            const std::int64_t to = at[j]++;
            row_of[to] = i;
            moved(k, to);
        });
        return {begins, row, {extents[1], extents[0]}};
    }
    csr_pattern transpose() const {
        return transpose([](index_t, index_t) {});
    }
    static tensor<std::int64_t, 1> copied(const tensor<std::int64_t, 1>& numbers) {
        const auto x = tensor<std::int64_t, 1>::uninitialized(numbers.shape());
        for (index_t k = 0; k < x.size(); ++k) x.data()[k] = numbers.at(k);
        return x;
    }
    /// Others share the arrays: what a product saved for its derivative may not be the pattern any more that was
    /// checked.
    void check_unchanged() const {
        if (offsets.memory().version() != versions[0] || columns.memory().version() != versions[1])
            raise<gradient_error>({"[backward] row offsets or columns that the derivative of a ",
                                   "sparse product needs were changed in place after it was recorded"});
    }
    /// Throws unless there are rows + 1 offsets, which rise from 0 to the number of entries.
    void check_offsets(const char* who) const {
        check_extents(extents, 1, who);
        if (offsets.size() != extents[0] + 1)
            raise<shape_error>({"[", who, "] a matrix of shape ", extents, " has ", extents[0] + 1,
                                " row offsets, not ", offsets.size()});
        const std::int64_t* at = offsets.data();
        if (at[0] != 0 || at[extents[0]] != nnz() || !are_rising(at, extents[0]))
            raise<value_error>({"[", who, "] row offsets must rise from 0 to ", nnz()});
    }
    /// Throws unless every entry is in the matrix and has a value.
    void check(index_t values) const {
        if (values != nnz())
            raise<shape_error>({"[csr_matrix] a pattern of ", nnz(), " entries does not fit ", values, " values"});
        check_offsets("csr_matrix");
        if (are_positions(columns.data(), nnz(), extents[1])) return;
        const std::int64_t* column = columns.data();
        while (*column >= 0 && *column < extents[1]) ++column;
        raise<index_error>({"[csr_matrix] column ", *column, " is outside of a matrix of shape ", extents});
    }
};

template <int Batch>
struct sampled_product_op;

/// y = A x (or its transpose's product) for values (batch..., nnz) of A's entries and matrices x (batch..., n, k).
template <bool Transposed, int Batch>
struct sparse_product_op : bilinear_op<sparse_product_op<Transposed, Batch>> {
    static constexpr const char* name = "sparse product";
    csr_pattern pattern;

    template <class V, class X>
    shape<Batch + 2> result_shape(const V& v, const X& x) const {
        return batch_of<Batch, 2>(common_batch<Batch>(v, x),
                                  {pattern.extents[Transposed ? 1 : 0], x.shape()[Batch + 1]});
    }
    template <class V, class X>
    auto value(const V& values, const X& matrices) const {
        using T = typename V::value_type;
        static_assert(std::is_same_v<typename V::device_type, cpu_device>, "ricci: sparse matrices are on the CPU");
        pattern.check_unchanged();
        const auto v = dense_members<Batch>(values);
        const auto x = dense_members<Batch>(matrices);
        const auto y = tensor<T, Batch + 2>::uninitialized(result_shape(v, x));
        if (y.size() == 0) return make_pack(y);
        const shape<Batch> batch = common_batch<Batch>(v, x);
        const index_t size = y.shape()[Batch] * y.shape()[Batch + 1];
        for (index_t i = 0, count = batch.count(); i < count; ++i)
            multiply(v.data() + member_offset(v, batch, i), x.data() + member_offset(x, batch, i), x.shape()[Batch + 1],
                     y.data() + i * size);
        return make_pack(y);
    }
    template <class V, class X, class Y>
    auto left_adjoint(const V& v, const X& x, const Y& y_bar) const {
        const auto v_bar = [&] {
            if constexpr (Transposed) return call1(sampled_product_op<Batch>{{}, pattern}, x, y_bar);
            else return call1(sampled_product_op<Batch>{{}, pattern}, y_bar, x);
        }();
        return sum_to(v_bar, v.shape());
    }
    template <class V, class X, class Y>
    auto right_adjoint(const V& v, const X& x, const Y& y_bar) const {
        return sum_to(call1(sparse_product_op<!Transposed, Batch>{{}, pattern}, v, y_bar), x.shape());
    }
    auto batched() const { return sparse_product_op<Transposed, Batch + 1>{{}, pattern}; }

   private:
    template <class T>
    void multiply(const T* v, const T* x, index_t k, T* y) const {
        const std::int64_t *offset = pattern.offsets.data(), *column = pattern.columns.data();
        const auto [rows, columns] = pattern.extents;
        if constexpr (Transposed) sparse_transpose_times(offset, column, v, rows, columns, x, k, y);
        else sparse_times(offset, column, v, rows, x, k, y);
    }
};

/// The entries of y x^T that a pattern has: for y (batch..., m, k) and x (batch..., n, k) values (batch..., nnz).
template <int Batch>
struct sampled_product_op : bilinear_op<sampled_product_op<Batch>> {
    static constexpr const char* name = "sampled product";
    csr_pattern pattern;

    template <class Y, class X>
    shape<Batch + 1> result_shape(const Y& y, const X& x) const {
        return batch_of<Batch, 1>(common_batch<Batch>(y, x), {pattern.nnz()});
    }
    template <class Y, class X>
    auto value(const Y& y, const X& x) const {
        using T = typename Y::value_type;
        pattern.check_unchanged();
        const auto v = tensor<T, Batch + 1>::uninitialized(result_shape(y, x));
        if (v.size() == 0) return make_pack(v);
        const shape<Batch> batch = common_batch<Batch>(y, x);
        for (index_t i = 0, count = batch.count(); i < count; ++i)
            sample(y.data() + member_offset(y, batch, i), y.strides()[Batch], y.strides()[Batch + 1],
                   x.data() + member_offset(x, batch, i), x.strides()[Batch], x.strides()[Batch + 1],
                   y.shape()[Batch + 1], v.data() + i * pattern.nnz());
        return make_pack(v);
    }
    template <class Y, class X, class V>
    auto left_adjoint(const Y& y, const X& x, const V& v_bar) const {
        return sum_to(call1(sparse_product_op<false, Batch>{{}, pattern}, v_bar, x), y.shape());
    }
    template <class Y, class X, class V>
    auto right_adjoint(const Y& y, const X& x, const V& v_bar) const {
        return sum_to(call1(sparse_product_op<true, Batch>{{}, pattern}, v_bar, y), x.shape());
    }
    auto batched() const { return sampled_product_op<Batch + 1>{{}, pattern}; }

   private:
    template <class T>
    void sample(const T* y, index_t y_row, index_t y_step, const T* x, index_t x_row, index_t x_step, index_t k,
                T* v) const {
        const std::int64_t *offset = pattern.offsets.data(), *column = pattern.columns.data();
        for (index_t i = 0; i < pattern.extents[0]; ++i)
            for (index_t e = offset[i]; e < offset[i + 1]; ++e) {
                T sum(0);
                for (index_t j = 0; j < k; ++j)
                    add_product(sum, y[i * y_row + j * y_step], x[column[e] * x_row + j * x_step]);
                v[e] = sum;
            }
    }
};

}  // namespace ricci::detail
