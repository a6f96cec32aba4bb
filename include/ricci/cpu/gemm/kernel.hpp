// The inner loops of the matrix product on SIMD registers: packing into panels, and tiles of C kept in registers.
#pragma once
#include <complex>
#include <cstring>

#include "../math.hpp"
#include "../simd/half.hpp"

#if defined(RICCI_HAS_SIMD)

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// The tile of C that fits into the registers, and the blocks of A and B that fit into the caches.
template <class T>
struct gemm_blocks {
#if defined(__AVX512F__) || defined(__aarch64__)
    static constexpr int rows = 12, vectors = 2;  // 24 sums of 32 registers
    static constexpr index_t unpacked = 64 * 64 * 64, unpacked_across = unpacked, unpacked_columns = 0;
#else
    static constexpr int rows = 4, vectors = 3;  // 12 sums of 16 registers
    // Work, and columns of B, up to which packing takes longer than it saves: A's rows are transposed into panels, its
    // columns are only copied.
    static constexpr index_t unpacked = 160 * 160 * 160, unpacked_across = 100 * 100 * 100, unpacked_columns = 64;
#endif
    static constexpr int columns = vectors * simd<T>::lanes;
    // A panel of B, depth * columns, is to stay in L1; but each block of depth reads and writes C once.
    static constexpr index_t depth = 384;
    static constexpr index_t height = 384;          // a block of A: height * depth, in L2
    static constexpr index_t width = 64 * columns;  // a block of B: depth * width, in L2 or L3
    static_assert(height % rows == 0);
};

template <class T>
struct four {
    typedef T vector __attribute__((vector_size(4 * sizeof(T))));
};

/// Transposes four vectors of four in place.
template <class V>
RICCI_INLINE void transpose_4x4(V& a, V& b, V& c, V& d) {
    const V ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const V cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

/// to[p * to_row + i] = from[i * across + p * along] for i < n and p < k.
template <class T>
RICCI_NOINLINE inline void copy_transposed(index_t n, index_t k, const T* from, index_t across, index_t along, T* to,
                                           index_t to_row) {
    index_t i = 0;
    if (along == 1) {
        using V = typename four<T>::vector;
        for (; i + 4 <= n; i += 4) {
            const T* row = from + i * across;
            index_t p = 0;
            for (; p + 4 <= k; p += 4) {
                V v[4];
                for (int r = 0; r < 4; ++r) std::memcpy(&v[r], row + r * across + p, sizeof(V));
                transpose_4x4(v[0], v[1], v[2], v[3]);
                for (int r = 0; r < 4; ++r) std::memcpy(to + (p + r) * to_row + i, &v[r], sizeof(V));
            }
            for (; p < k; ++p)
                for (int r = 0; r < 4; ++r) to[p * to_row + i + r] = row[r * across + p];
        }
    }
    if (i < n)
        for (index_t p = 0; p < k; ++p)
            for (index_t r = i; r < n; ++r) to[p * to_row + r] = from[r * across + p * along];
}

/// to[p * Width + i] = from[i * across + p * along] for i < valid, 0 for the other i < Width.
template <int Width, class T>
RICCI_INLINE void pack_panel(index_t k, const T* from, index_t across, index_t along, int valid, T* to) {
    if (across == 1 && valid == Width) {
        for (index_t p = 0; p < k; ++p) std::memcpy(to + p * Width, from + p * along, Width * sizeof(T));
        return;
    }
    if (valid < Width) std::memset(to, 0, static_cast<std::size_t>(k) * Width * sizeof(T));
    copy_transposed<T>(valid, k, from, across, along, to, Width);
}

/// The same of complex numbers: their parts are the rows 2p and 2p + 1.
template <int Width, class R>
RICCI_INLINE void pack_panel(index_t k, const std::complex<R>* from, index_t across, index_t along, int valid, R* to) {
    const R* const parts = reinterpret_cast<const R*>(from);
    if (valid < Width) std::memset(to, 0, static_cast<std::size_t>(2 * k) * Width * sizeof(R));
    if (along == 1) return copy_transposed<R>(valid, 2 * k, parts, 2 * across, 1, to, Width);
    for (index_t p = 0; p < k; ++p, to += 2 * Width)
        for (int i = 0; i < valid; ++i) {
            const R* x = parts + 2 * (i * across + p * along);
            to[i] = x[0];
            to[Width + i] = x[1];
        }
}
/// The same of 16 bits: as floats.
template <int Width, class H>
    requires(is_half_v<H>)
RICCI_INLINE void pack_panel(index_t k, const H* from, index_t across, index_t along, int valid, float* to) {
    if (across == 1 && valid == Width) {
        for (index_t p = 0; p < k; ++p) widen_row(from + p * along, Width, to + p * Width);
        return;
    }
    if (valid < Width) std::memset(to, 0, static_cast<std::size_t>(k) * Width * sizeof(float));
    constexpr index_t some = 64;
    float rows[Width * some];
    for (index_t p = 0; p < k; p += some, to += some * Width) {
        const index_t count = k - p < some ? k - p : some;
        for (int i = 0; i < valid; ++i) widen_line(from + i * across + p * along, along, count, rows + i * some);
        copy_transposed<float>(valid, count, rows, some, 1, to, Width);
    }
}
/// C = sums or C += sums for the first `rows` rows and `columns` columns of a tile.
template <int Rows, int Vectors, class T>
RICCI_INLINE void write_tile(const simd<T> (&sum)[Rows][Vectors], T* c, index_t c_row, int rows, int columns,
                             bool add) {
    constexpr int lanes = simd<T>::lanes;
    const int rest = columns - (Vectors - 1) * lanes;
    RICCI_UNROLL
    for (int i = 0; i < Rows; ++i) {
        if (i >= rows) return;
        T* to = c + i * c_row;
        RICCI_UNROLL
        for (int v = 0; v < Vectors; ++v, to += lanes) {
            if (v < Vectors - 1 || rest == lanes) (add ? simd<T>::load(to) + sum[i][v] : sum[i][v]).store(to);
            else (add ? simd<T>::load_partial(to, rest) + sum[i][v] : sum[i][v]).store_partial(to, rest);
        }
    }
}

/// A tile of C from packed panels: `a` of Rows, `b` of b_row elements for each p.
template <int Rows, int Vectors, class T>
RICCI_NOINLINE inline void packed_tile(index_t k, const T* a, const T* b, index_t b_row, T* c, index_t c_row, int rows,
                                       int columns, bool add) {
    constexpr int lanes = simd<T>::lanes;
    // apart from the sums: clang keeps in memory what is written between branches
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; j += lanes) __builtin_prefetch(c + i * c_row + j, 1);
    simd<T> sum[Rows][Vectors];
    RICCI_UNROLL
    for (int i = 0; i < Rows; ++i) {
        RICCI_UNROLL
        for (int v = 0; v < Vectors; ++v) sum[i][v] = simd<T>(T(0));
    }
    for (index_t p = 0; p < k; ++p, a += Rows, b += b_row) {
        // A streams from L2, faster than the hardware looks ahead: without this, doubles lose a fifth.
        constexpr int ahead = 1024, line = 64;
        for (int byte = 0; byte < static_cast<int>(Rows * sizeof(T)); byte += line)
            __builtin_prefetch(reinterpret_cast<const char*>(a) + ahead + byte);
        simd<T> right[Vectors];
        RICCI_UNROLL
        for (int v = 0; v < Vectors; ++v) {
            right[v] = simd<T>::load(b + v * lanes);
            RICCI_KEEP_VECTOR(right[v].v);  // loads bind: there are two in a cycle, as many as products
        }
        RICCI_UNROLL
        for (int i = 0; i < Rows; ++i) {
            const simd<T> left(a[i]);
            RICCI_UNROLL
            for (int v = 0; v < Vectors; ++v) sum[i][v] = math::fma(left, right[v], sum[i][v]);
        }
    }
    write_tile(sum, c, c_row, rows, columns, add);
}

/// A tile as wide as `columns` needs.
template <int Rows, class T>
RICCI_INLINE void panels_tile(index_t k, const T* a, const T* b, T* c, index_t c_row, int rows, int columns, bool add) {
    using blocks = gemm_blocks<T>;
    constexpr int lanes = simd<T>::lanes;
    const int vectors = (columns + lanes - 1) / lanes;
    if (vectors == 1) packed_tile<Rows, 1>(k, a, b, blocks::columns, c, c_row, rows, columns, add);
    else if (vectors == 2) packed_tile<Rows, 2>(k, a, b, blocks::columns, c, c_row, rows, columns, add);
    else packed_tile<Rows, blocks::vectors>(k, a, b, blocks::columns, c, c_row, rows, columns, add);
}

/// Packs `rows` rows of A into panels of gemm_blocks<T>::rows, the last panel as low as multiples of 4 allow.
template <class T, class R>
void pack_rows(index_t rows, index_t k, const T* a, index_t a_row, index_t a_col, R* to) {
    constexpr int height = gemm_blocks<R>::rows;
    constexpr index_t parts = sizeof(T) > sizeof(R) ? 2 : 1;  // of complex numbers
    for (index_t i = 0; i < rows; i += height, a += height * a_row, to += height * parts * k) {
        const int valid = static_cast<int>(rows - i < height ? rows - i : height);
        if (valid > 8 || height <= 4) pack_panel<height>(k, a, a_row, a_col, valid, to);
        else if (valid > 4) pack_panel<8>(k, a, a_row, a_col, valid, to);
        else pack_panel<4>(k, a, a_row, a_col, valid, to);
    }
}
/// `rows` rows of C from packed rows of A and a packed block of B of n columns. Where only the lower triangle is
/// wanted, tiles above the diagonal are left out: its first row here meets it at the column `diagonal`, which is n or
/// more for all of C; a row further down it has moved on by `parts` columns.
template <class T>
void multiply_packed(index_t rows, index_t n, index_t k, const T* a, const T* b, T* c, index_t c_row, bool add,
                     index_t diagonal, index_t parts) {
    using blocks = gemm_blocks<T>;
    for (index_t j = 0; j < n; j += blocks::columns, b += blocks::columns * k) {
        const int columns = static_cast<int>(n - j < blocks::columns ? n - j : blocks::columns);
        const index_t first = (j - diagonal) / parts;
        for (index_t i = first > 0 ? first / blocks::rows * blocks::rows : 0; i < rows; i += blocks::rows) {
            const int valid = static_cast<int>(rows - i < blocks::rows ? rows - i : blocks::rows);
            const T* left = a + i * k;
            T* to = c + i * c_row + j;
            if (valid > 8 || blocks::rows <= 4) panels_tile<blocks::rows>(k, left, b, to, c_row, valid, columns, add);
            else if (valid > 4) panels_tile<8>(k, left, b, to, c_row, valid, columns, add);
            else panels_tile<4>(k, left, b, to, c_row, valid, columns, add);
        }
    }
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci

#endif  // RICCI_HAS_SIMD
