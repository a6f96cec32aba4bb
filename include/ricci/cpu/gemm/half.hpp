// Matrix products of 16-bit floats, which become floats in the cache; sums are floats, and results are rounded once.
#pragma once
#include "packed.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// A matrix as floats, dense: along its rows or, where these are contiguous, its columns.
struct widened_matrix {
    const float* data;
    index_t row, col;

    template <class H>
    widened_matrix(index_t rows, index_t columns, const H* from, index_t from_row, index_t from_col, float* to)
        : data(to) {
        const bool turned = from_col != 1 && from_row == 1;
        if (turned) {
            std::swap(rows, columns);
            std::swap(from_row, from_col);
        }
        row = turned ? 1 : columns;
        col = turned ? columns : 1;
        if (from_col == 1 && from_row == columns) {  // one row as good
            columns *= rows;
            rows = 1;
        }
        for (index_t i = 0; i < rows; ++i, from += from_row, to += columns) widen_line(from, from_col, columns, to);
    }
};

/// Sums, dense, become a block of C: rounded, or given to the epilogue as they are.
template <class H>
void put_sums(const gemm_problem<H>& g, const float* sums, index_t rows, index_t columns, H* c) {
    if (g.epilogue) return g.complete(sums, columns, c, rows, columns);
    for (index_t r = 0; r < rows; ++r) round_row(sums + r * columns, columns, c + r * g.c_row);
}

#if defined(RICCI_HAS_SIMD)
/// Large matrices: widened as they are packed. A part of C at a time is summed up as floats and rounded.
template <class H>
void gemm_packed_half(const gemm_problem<H>& g) {
    constexpr index_t most_rows = 1024, most_columns = 2048;
    const index_t m = least(g.m, most_rows), n = least(g.n, most_columns);
    const storage memory = storage::allocate(static_cast<std::size_t>(m * n) * sizeof(float));
    float* const sums = static_cast<float*>(memory.data());
    for (index_t i = 0; i < g.m; i += m)
        for (index_t j = 0; j < g.n; j += n) {
            auto part = g.rows_from(i, least(g.m - i, m));
            part = part.columns_from(j, least(g.n - j, n));
            part.epilogue = nullptr;
            packed_gemm<H>(part, sums, part.n).run();
            parallel_pieces(part.m, 1 + gemm_grain / part.n, [&](index_t first, index_t rows) {
                put_sums(g, sums + first * part.n, rows, part.n, part.c + first * g.c_row);
            });
        }
}
#endif

/// Others: the blocks of C that threads take, and what of A and B is widened for one at a time, all in L2.
struct half_blocks {
    static constexpr index_t rows = 256, columns = 512, depth = 512;
    index_t m, n, k;
    storage memory;
    template <class H>
    explicit half_blocks(const gemm_problem<H>& g)
        : m(least(g.m, rows)),
          n(least(g.n, columns)),
          k(least(g.k, depth)),
          memory(storage::allocate(static_cast<std::size_t>(m * k + k * n + 2 * m * n) * sizeof(float))) {}
    float* a() const { return static_cast<float*>(memory.data()); }
    float* b() const { return a() + m * k; }
    float* c() const { return b() + k * n; }
    float* addend() const { return c() + m * n; }
};

/// One block of C.
template <class H, class Multiply>
void multiply_half_block(const gemm_problem<H>& g, index_t i, index_t j, const half_blocks& blocks,
                         const Multiply& multiply) {
    const index_t m = least(g.m - i, half_blocks::rows), n = least(g.n - j, half_blocks::columns);
    if (g.k == 0) std::memset(blocks.c(), 0, static_cast<std::size_t>(m * n) * sizeof(float));
    for (index_t p = 0; p < g.k; p += half_blocks::depth) {
        const index_t k = least(g.k - p, half_blocks::depth);
        const widened_matrix a(m, k, g.a + i * g.a_row + p * g.a_col, g.a_row, g.a_col, blocks.a());
        const widened_matrix b(k, n, g.b + p * g.b_row + j * g.b_col, g.b_row, g.b_col, blocks.b());
        float* const to = p ? blocks.addend() : blocks.c();
        multiply(gemm_problem<float>{m, n, k, a.data, a.row, a.col, b.data, b.row, b.col, to, n});
        if (p)
            for (index_t e = 0; e < m * n; ++e) blocks.c()[e] += to[e];
    }
    put_sums(g, blocks.c(), m, n, g.c + i * g.c_row + j);
}
/// C = A B; multiply(problem) computes a product of floats.
template <class H, class Multiply>
void gemm_half(const gemm_problem<H>& g, const Multiply& multiply) {
#if defined(RICCI_HAS_SIMD)
    if (g.m > 32 && g.n > 2 * float_lanes::lanes && g.k > 16 && g.m * g.n * g.k > 64 * 64 * 64)
        return gemm_packed_half(g);
#endif
    const index_t down = (g.m + half_blocks::rows - 1) / half_blocks::rows;
    const index_t across = (g.n + half_blocks::columns - 1) / half_blocks::columns;
    parallel_pieces(down * across, 1, [&](index_t block, index_t) {
        multiply_half_block(g, block / across * half_blocks::rows, block % across * half_blocks::columns,
                            half_blocks(g), multiply);
    });
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
