// What a matrix product is asked for, and how its work is shared among threads.
#pragma once
#include "../../core/storage.hpp"
#include "../thread_pool.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// What becomes of the elements of a product once their sums are complete, while they are in the cache
/// (cpu/product_map.hpp).
struct gemm_epilogue {
    /// Takes `rows` runs of `columns` elements: values[r * values_row + j] is element at + r * row + j of all of C,
    /// which is dense. The values are C's own, or floats that would have been rounded to it.
    void (*take)(const gemm_epilogue& self, const void* values, index_t values_row, index_t at, index_t rows,
                 index_t columns, index_t row);
    const void* c;  // the first element of all of C
};

/// An m x k matrix A, a k x n matrix B and a row-major m x n matrix C, whose columns have unit stride. Each way to
/// multiply calls complete() once for each element of C that it has given its last value.
template <class T>
struct gemm_problem {
    index_t m, n, k;
    const T* a;
    index_t a_row, a_col;
    const T* b;
    index_t b_row, b_col;
    T* c;
    index_t c_row;
    const gemm_epilogue* epilogue = nullptr;

    /// Whether B is A's transpose, the same elements, so that half of C is enough.
    bool is_symmetric() const {
        return m == n && a == b && a_row == b_col && a_col == b_row && a_row != 0 && !epilogue;
    }
    gemm_problem without_epilogue() const {
        auto plain = *this;
        plain.epilogue = nullptr;
        return plain;
    }
    /// Rows [i, i + rows) of C.
    gemm_problem rows_from(index_t i, index_t rows) const {
        auto part = *this;
        part.m = rows;
        part.a += i * a_row;
        part.c += i * c_row;
        return part;
    }
    /// Columns [j, j + columns) of C.
    gemm_problem columns_from(index_t j, index_t columns) const {
        auto part = *this;
        part.n = columns;
        part.b += j * b_col;
        part.c += j;
        return part;
    }
    /// The block of C at `at` is complete, as `values`.
    template <class V>
    void complete(const V* values, index_t values_row, const T* at, index_t rows, index_t columns) const {
        epilogue->take(*epilogue, values, values_row, at - static_cast<const T*>(epilogue->c), rows, columns, c_row);
    }
    /// The same of what is in C.
    void complete(const T* at, index_t rows, index_t columns) const {
        if (epilogue) complete(at, c_row, at, rows, columns);
    }
    void complete() const { complete(c, m, n); }
};

/// body(first, count) over [0, total) in pieces of `piece`, in parallel.
template <class F>
void parallel_pieces(index_t total, index_t piece, const F& body) {
    struct context {
        index_t total, piece;
        const F& body;
    } state{total, piece, body};
    parallel_for((total + piece - 1) / piece,
                 [](void* c, index_t i) {
                     const auto& s = *static_cast<const context*>(c);
                     const index_t first = i * s.piece;
                     s.body(first, s.total - first < s.piece ? s.total - first : s.piece);
                 },
                 &state);
}

inline index_t least(index_t x, index_t y) { return x < y ? x : y; }

/// Work, in multiply-adds, that is enough for a chunk of a loop, and for one product to be shared among threads.
inline constexpr index_t gemm_grain = index_t(1) << 18, gemm_shared = index_t(1) << 20;

/// Completes a symmetric C of which the lower triangle is there: so many columns at a time that the rows which they
/// become stay in L1, whatever multiple of 4 KiB they are apart.
template <class T>
void mirror_lower(const gemm_problem<T>& g) {
    constexpr index_t block = 8, piece = 64;
    const auto mirror = [&](index_t first, index_t rows) {
        for (index_t j0 = 0; j0 < first + rows; j0 += block)
            for (index_t i = first; i < first + rows; ++i) {
                const T* const from = g.c + i * g.c_row;
                for (index_t j = j0, end = least(j0 + block, i); j < end; ++j) g.c[j * g.c_row + i] = from[j];
            }
    };
    parallel_pieces(g.m, g.m * g.m < gemm_grain ? g.m : piece, mirror);
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
