// Matrix products without packing: for small and narrow matrices, of which too little is used twice.
#pragma once
#include "kernel.hpp"
#include "problem.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

// ---- B with contiguous rows: elements of A times vectors of B -------------------------------------------------------

/// The most rows of a tile from unpacked memory; lower ones have even numbers of rows.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int direct_rows = 8;
#else
inline constexpr int direct_rows = 6;
#endif

/// A tile of C from unpacked A (any strides) and B (unit column stride): `rows` <= Rows, the last vector may be
/// partial.
template <int Rows, int Vectors, class T>
RICCI_NOINLINE inline void direct_tile(index_t k, const T* a, index_t a_row, index_t a_col, const T* b, index_t b_row,
                                       T* c, index_t c_row, int rows, int columns, bool add) {
    constexpr int lanes = simd<T>::lanes;
    const int rest = columns - (Vectors - 1) * lanes;
    simd<T> sum[Rows][Vectors];
    const T* left[Rows];  // beyond the last row its copies: computed, not stored
    RICCI_UNROLL
    for (int i = 0; i < Rows; ++i) {
        left[i] = a + (i < rows ? i : rows - 1) * a_row;
        RICCI_UNROLL
        for (int v = 0; v < Vectors; ++v) sum[i][v] = simd<T>(T(0));
    }
    const auto step = [&](auto last, index_t p) RICCI_INLINE_LAMBDA {
        simd<T> right[Vectors];
        RICCI_UNROLL
        for (int v = 0; v + 1 < Vectors; ++v) right[v] = simd<T>::load(b + p * b_row + v * lanes);
        right[Vectors - 1] = last(b + p * b_row + (Vectors - 1) * lanes);
        RICCI_UNROLL
        for (int i = 0; i < Rows; ++i) {
            const simd<T> x(left[i][p * a_col]);
            RICCI_UNROLL
            for (int v = 0; v < Vectors; ++v) sum[i][v] = math::fma(x, right[v], sum[i][v]);
        }
    };
    if (rest == lanes)
        for (index_t p = 0; p < k; ++p) step([](const T* at) { return simd<T>::load(at); }, p);
    else
        for (index_t p = 0; p < k; ++p) step([rest](const T* at) { return simd<T>::load_partial(at, rest); }, p);
    write_tile(sum, c, c_row, rows, columns, add);
}
template <class T>
using direct_tile_function = decltype(&direct_tile<2, 1, T>);

template <class T>
RICCI_INLINE direct_tile_function<T> direct_tile_for(int rows, int columns) {
    if (columns <= simd<T>::lanes) return rows > 4 ? direct_tile<direct_rows, 1, T> : direct_tile<4, 1, T>;
    if (rows <= 2) return direct_tile<2, 2, T>;
    if (rows <= 4) return direct_tile<4, 2, T>;
    if (rows <= 6) return direct_tile<6, 2, T>;
    return direct_tile<direct_rows, 2, T>;
}
/// How many of `rest` rows to take at once: tiles of even numbers of rows and nearly the same height.
inline int direct_height(index_t rest) {
    if (rest <= direct_rows) return static_cast<int>(rest);
    const index_t tiles = (rest + direct_rows - 1) / direct_rows;
    return static_cast<int>(((rest + tiles - 1) / tiles + 1) & ~index_t(1));
}

/// C = A B; B has unit column stride.
template <class T>
void gemm_direct(const gemm_problem<T>& g) {
    constexpr index_t width = 2 * simd<T>::lanes, depth = gemm_blocks<T>::depth;
    constexpr index_t some = 4096, strip = 4 * width;  // elements, and columns, that are worth a call of complete()
    const index_t in_cache = (index_t(1) << 17) / static_cast<index_t>(sizeof(T));
    for (index_t p = 0; p < g.k; p += depth) {
        const index_t deep = least(g.k - p, depth);
        const bool last = p + deep == g.k;
        const auto tile = [&](index_t i, int rows, index_t j) {
            const int columns = static_cast<int>(least(g.n - j, width));
            direct_tile_for<T>(rows, columns)(deep, g.a + i * g.a_row + p * g.a_col, g.a_row, g.a_col,
                                              g.b + p * g.b_row + j, g.b_row, g.c + i * g.c_row + j, g.c_row, rows,
                                              columns, p > 0);
        };
        int rows;
        if (deep * g.n <= in_cache) {  // B is read again for the next rows: C is written row after row
            for (index_t i = 0, done = 0; i < g.m; i += rows) {
                rows = direct_height(g.m - i);
                for (index_t j = 0; j < g.n; j += width) tile(i, rows, j);
                const index_t ready = i + rows - done;
                if (!last || (ready * g.n < some && i + rows < g.m)) continue;
                g.complete(g.c + done * g.c_row, ready, g.n);
                done += ready;
            }
        } else {
            for (index_t j = 0; j < g.n; j += width) {
                for (index_t i = 0; i < g.m; i += rows) {
                    rows = direct_height(g.m - i);
                    tile(i, rows, j);
                }
                if (!last || (j % strip != strip - width && j + width < g.n)) continue;
                const index_t first = j / strip * strip;
                g.complete(g.c + first, g.m, least(g.n - first, strip));
            }
        }
    }
}

/// C = A B of one column and one row, with Add C += A B. A row of C is written from end to end: a tile's pieces of
/// several rows are more streams than memory takes at once.
template <bool Add, class T>
void gemm_outer(const gemm_problem<T>& g) {
    constexpr index_t lanes = simd<T>::lanes, some = 4096, strip = (index_t(1) << 17) / static_cast<index_t>(sizeof(T));
    for (index_t first = 0; first < g.n; first += strip) {  // of B, which stays in the cache
        const index_t n = least(g.n - first, strip);
        T* done = g.c + first;
        for (index_t i = 0, rows = 1; i < g.m; ++i, ++rows) {
            const simd<T> left(g.a[i * g.a_row]);
            const T* const b = g.b + first;
            T* const c = g.c + first + i * g.c_row;
            const auto sum = [&](const simd<T>& right, auto there) RICCI_INLINE_LAMBDA {
                if constexpr (Add) return math::fma(left, right, there());
                else return left * right;
            };
            index_t j = 0;
            for (; j + lanes <= n; j += lanes)
                sum(simd<T>::load(b + j), [&] { return simd<T>::load(c + j); }).store(c + j);
            if (const int rest = static_cast<int>(n - j); rest > 0)
                sum(simd<T>::load_partial(b + j, rest), [&] {
                    return simd<T>::load_partial(c + j, rest);
                }).store_partial(c + j, rest);
            if (rows * n < some && i + 1 < g.m) continue;
            g.complete(done, rows, n);
            done += rows * g.c_row;
            rows = 0;
        }
    }
}

/// Few rows of A (any strides) times B (unit column stride), eight rows of B at a time: the memory streams, C stays in
/// the cache.
template <class T>
void rows_times_matrix(index_t m, index_t n, index_t k, const T* a, index_t a_row, index_t a_col, const T* b,
                       index_t b_row, T* c, index_t c_row) {
    constexpr int lanes = simd<T>::lanes, deep = 8;
    const auto eight_rows = [&](index_t p, const T* x, T* to) {
        simd<T> left[deep];
        const T* row[deep];
        const int valid = static_cast<int>(k - p < deep ? k - p : deep);
        for (int r = 0; r < deep; ++r) {
            row[r] = b + (r < valid ? p + r : k - 1) * b_row;
            left[r] = simd<T>(r < valid ? x[r * a_col] : T(0));
        }
        const auto step = [&](auto load, index_t j) RICCI_INLINE_LAMBDA {
            simd<T> sum = p ? load(to + j) : simd<T>(T(0));
            for (int r = 0; r < valid; ++r) sum = math::fma(left[r], load(row[r] + j), sum);
            return sum;
        };
        const auto full = [&](index_t j) RICCI_INLINE_LAMBDA {
            simd<T> even = p ? simd<T>::load(to + j) : simd<T>(T(0)), odd(T(0));
            RICCI_UNROLL
            for (int r = 0; r < deep; r += 2) {
                even = math::fma(left[r], simd<T>::load(row[r] + j), even);
                odd = math::fma(left[r + 1], simd<T>::load(row[r + 1] + j), odd);
            }
            (even + odd).store(to + j);
        };
        index_t j = 0;
        if (valid == deep)
            for (; j + lanes <= n; j += lanes) full(j);
        for (; j + lanes <= n; j += lanes) step([](const T* at) { return simd<T>::load(at); }, j).store(to + j);
        if (const index_t rest = n - j; rest > 0)
            step([rest](const T* at) { return simd<T>::load_partial(at, rest); }, j).store_partial(to + j, rest);
    };
    for (index_t p = 0; p < k; p += deep)
        for (index_t i = 0; i < m; ++i) eight_rows(p, a + i * a_row + p * a_col, c + i * c_row);
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
#endif  // RICCI_HAS_SIMD
