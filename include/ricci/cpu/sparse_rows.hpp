// Rows of a sparse matrix, as lists of columns and values, times dense arrays.
#pragma once
#include <algorithm>

#include "gemm.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// The sum of n values times the elements of x at their columns. (One after the other: rows are short, and do not wait
/// for each other.)
template <class T>
RICCI_INLINE T sparse_dot(const std::int64_t* column, const T* value, index_t n, const T* x) {
    T sum(0);
    for (index_t e = 0; e < n; ++e) add_product(sum, value[e], x[column[e]]);
    return sum;
}

/// Width registers of y: the sums of n values times the rows of x, k elements each, at their columns.
template <int Width, class T>
RICCI_INLINE void sparse_registers(const std::int64_t* column, const T* value, index_t n, const T* x, index_t k, T* y) {
    constexpr index_t lanes = simd<T>::lanes;
    simd<T> sum[Width];
    for (int w = 0; w < Width; ++w) sum[w] = simd<T>(T(0));
    for (index_t e = 0; e < n; ++e) {
        const T* const row = x + column[e] * k;
        const simd<T> v(value[e]);
        for (int w = 0; w < Width; ++w) sum[w] = math::fma(v, simd<T>::load(row + w * lanes), sum[w]);
    }
    for (int w = 0; w < Width; ++w) sum[w].store(y + w * lanes);
}
/// The same for all k elements of y.
template <class T>
RICCI_INLINE void sparse_combination(const std::int64_t* column, const T* value, index_t n, const T* x, index_t k,
                                     T* y) {
    if constexpr (simd_supported<T>) {
        constexpr index_t lanes = simd<T>::lanes;
        if (k >= lanes) {
            index_t j = 0;
            for (; j + 4 * lanes <= k; j += 4 * lanes) sparse_registers<4>(column, value, n, x + j, k, y + j);
            for (; j + 2 * lanes <= k; j += 2 * lanes) sparse_registers<2>(column, value, n, x + j, k, y + j);
            for (; j + lanes <= k; j += lanes) sparse_registers<1>(column, value, n, x + j, k, y + j);
            if (j < k) sparse_registers<1>(column, value, n, x + (k - lanes), k, y + (k - lanes));
            return;
        }
        simd<T> sum(T(0));
        for (index_t e = 0; e < n; ++e)
            sum = math::fma(simd<T>(value[e]), simd<T>::load_partial(x + column[e] * k, k), sum);
        return sum.store_partial(y, k);
    }
    constexpr index_t most = 16;
    for (index_t first = 0; first < k; first += most) {
        const index_t width = least(most, k - first);
        T sum[most] = {};
        for (index_t e = 0; e < n; ++e) {
            const T* const row = x + column[e] * k + first;
            for (index_t j = 0; j < width; ++j) add_product(sum[j], value[e], row[j]);
        }
        std::copy_n(sum, width, y + first);
    }
}
/// Adds n values times the row x, k elements, to the rows of y at their columns: a row of the transpose's product.
template <class T>
RICCI_INLINE void sparse_spread(const std::int64_t* column, const T* value, index_t n, const T* x, index_t k, T* y) {
    if (k == 1) {
        for (index_t e = 0; e < n; ++e) add_product(y[column[e]], value[e], *x);
        return;
    }
    index_t done = 0;
    if constexpr (simd_supported<T>)
        for (; done + simd<T>::lanes <= k; done += simd<T>::lanes) {
            const simd<T> row = simd<T>::load(x + done);
            for (index_t e = 0; e < n; ++e) {
                T* const to = y + column[e] * k + done;
                math::fma(simd<T>(value[e]), row, simd<T>::load(to)).store(to);
            }
        }
    if (done == k) return;
    if constexpr (simd_supported<T>) {
        const simd<T> row = simd<T>::load_partial(x + done, k - done);
        for (index_t e = 0; e < n; ++e) {
            T* const to = y + column[e] * k + done;
            math::fma(simd<T>(value[e]), row, simd<T>::load_partial(to, k - done)).store_partial(to, k - done);
        }
    } else {
        for (index_t e = 0; e < n; ++e)
            for (index_t j = 0; j < k; ++j) add_product(y[column[e] * k + j], value[e], x[j]);
    }
}

/// y = A x for the `rows` rows of A that begin at offset[0], ..., and x with rows of k elements.
template <class T>
RICCI_NOINLINE void sparse_rows(const std::int64_t* offset, const std::int64_t* column, const T* value, index_t rows,
                                const T* x, index_t k, T* y) {
    if (k == 1) {
        for (index_t i = 0, at = *offset; i < rows; ++i) {
            const index_t end = offset[i + 1];
            y[i] = sparse_dot(column + at, value + at, end - at, x);
            at = end;
        }
        return;
    }
    for (index_t i = 0; i < rows; ++i)
        sparse_combination(column + offset[i], value + offset[i], offset[i + 1] - offset[i], x, k, y + i * k);
}
/// The same, a thread for many rows.
template <class T>
void sparse_times(const std::int64_t* offset, const std::int64_t* column, const T* value, index_t rows, const T* x,
                  index_t k, T* y) {
    const index_t work = (offset[rows] + rows) * k / (rows + 1) + 1;
    parallel_pieces(rows, 1 + (index_t(1) << 15) / work, [&](index_t first, index_t count) {
        sparse_rows(offset + first, column, value, count, x, k, y + first * k);
    });
}
/// y = A^T x, of `columns` rows.
template <class T>
void sparse_transpose_times(const std::int64_t* offset, const std::int64_t* column, const T* value, index_t rows,
                            index_t columns, const T* x, index_t k, T* y) {
    std::fill_n(y, columns * k, T(0));
    for (index_t i = 0; i < rows; ++i)
        sparse_spread(column + offset[i], value + offset[i], offset[i + 1] - offset[i], x + i * k, k, y);
}

}  // namespace RICCI_ISA

/// Whether n + 1 numbers, of which the last is not negative, are not negative and never fall. (A negative number, or a
/// fall between two that are not, sets the sign.)
RICCI_VECTORIZE inline bool are_rising(const std::int64_t* x, index_t n) {
    std::uint64_t falls = 0;
    for (index_t i = 0; i < n; ++i)
        falls |= static_cast<std::uint64_t>(x[i]) |
                 (static_cast<std::uint64_t>(x[i + 1]) - static_cast<std::uint64_t>(x[i]));
    return falls >> 63 == 0;
}

}  // namespace ricci::detail
