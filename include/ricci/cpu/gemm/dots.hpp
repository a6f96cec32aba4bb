// Matrix products as inner products: A with contiguous rows, B with contiguous columns, few of one or the other.
#pragma once
#include "kernel.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// Blocks of Step lanes, in turn of x and y, each the sum of two neighbouring blocks of its register.
template <int Step, class T, std::size_t... L>
RICCI_INLINE simd<T> add_blocks(const simd<T>& x, const simd<T>& y, std::index_sequence<L...>) {
#if defined(__CUDACC__)  // nvcc loses the pack
    T both[2 * sizeof...(L)], sums[sizeof...(L)];
    x.store(both);
    y.store(both + sizeof...(L));
    ((sums[L] = L / Step % 2 ? both[sizeof...(L) + L - Step] + both[sizeof...(L) + L] : both[L] + both[L + Step]), ...);
    return simd<T>::load(sums);
#else
    const auto u = x.raw(), v = y.raw();
    return simd<T>::from_native(
        __builtin_shufflevector(u, v, static_cast<int>(L / Step % 2 ? sizeof...(L) + L - Step : L)...) +
        __builtin_shufflevector(u, v, static_cast<int>(L / Step % 2 ? sizeof...(L) + L : L + Step)...));
#endif
}
template <int Step, class T>
RICCI_INLINE simd<T> add_within_blocks(const simd<T>& x) {
    if constexpr (Step == 0) return x;
    else return add_within_blocks<Step / 2>(x + butterfly<Step>(x, std::make_index_sequence<simd<T>::lanes>()));
}
/// The sums of the lanes of each of N registers; four registers go through the tree together.
template <int N, class T>
RICCI_INLINE void sum_lanes(const simd<T>* x, T* sums) {
    constexpr int lanes = simd<T>::lanes;
    int i = 0;
    if constexpr (lanes >= 4) {
        constexpr auto all = std::make_index_sequence<lanes>();
        RICCI_UNROLL
        for (; i + 4 <= N; i += 4) {
            const simd<T> low = add_blocks<lanes / 2>(x[i], x[i + 1], all);
            const simd<T> high = add_blocks<lanes / 2>(x[i + 2], x[i + 3], all);
            const simd<T> four = add_within_blocks<lanes / 8>(add_blocks<lanes / 4>(low, high, all));
            sums[i] = four[0];
            sums[i + 1] = four[lanes / 2];
            sums[i + 2] = four[lanes / 4];
            sums[i + 3] = four[lanes / 4 * 3];
        }
    }
    for (; i < N; ++i) sums[i] = reduce_add(x[i]);
}

/// A tile of C from rows of A and columns of B, contiguous along k: `rows` <= Rows, `columns` <= Columns.
template <int Rows, int Columns, class T>
RICCI_NOINLINE inline void dots_tile(index_t k, const T* a, index_t a_row, const T* b, index_t b_col, T* c,
                                     index_t c_row, index_t c_col, int rows, int columns, bool add) {
    constexpr int lanes = simd<T>::lanes;
    const T *left[Rows], *right[Columns];  // beyond the last its copies: computed, not stored
    simd<T> sum[Rows * Columns];
    RICCI_UNROLL
    for (int i = 0; i < Rows; ++i) left[i] = a + (i < rows ? i : rows - 1) * a_row;
    RICCI_UNROLL
    for (int j = 0; j < Columns; ++j) right[j] = b + (j < columns ? j : columns - 1) * b_col;
    RICCI_UNROLL
    for (int s = 0; s < Rows * Columns; ++s) sum[s] = simd<T>(T(0));
    const auto step = [&](auto load, index_t p) RICCI_INLINE_LAMBDA {
        simd<T> y[Columns];
        RICCI_UNROLL
        for (int j = 0; j < Columns; ++j) y[j] = load(right[j] + p);
        RICCI_UNROLL
        for (int i = 0; i < Rows; ++i) {
            const simd<T> x = load(left[i] + p);
            RICCI_UNROLL
            for (int j = 0; j < Columns; ++j) sum[i * Columns + j] = math::fma(x, y[j], sum[i * Columns + j]);
        }
    };
    index_t p = 0;
    for (; p + lanes <= k; p += lanes) step([](const T* at) { return simd<T>::load(at); }, p);
    if (const index_t rest = k - p; rest > 0) step([rest](const T* at) { return simd<T>::load_partial(at, rest); }, p);
    T total[Rows * Columns];
    sum_lanes<Rows * Columns>(sum, total);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            T& to = c[i * c_row + j * c_col];
            to = add ? to + total[i * Columns + j] : total[i * Columns + j];
        }
}

/// The widest and highest tile of inner products that fits into the registers.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int dots_most = 4;
#else
inline constexpr int dots_most = 3;
#endif

/// The least number of pieces of at most `most`, as even as can be: the size of the first.
inline int even_piece(index_t rest, int most) {
    const index_t pieces = (rest + most - 1) / most;
    return static_cast<int>((rest + pieces - 1) / pieces);
}

/// A strip of C: all of its m rows, and as many columns as one tile has.
template <class T>
void dots_strip(index_t m, index_t k, const T* a, index_t a_row, const T* b, index_t b_col, T* c, index_t c_row,
                index_t c_col, int columns, bool add) {
    const int most = columns == 1 ? 8 : columns == 2 ? 4 : dots_most;
    int rows;
    for (index_t i = 0; i < m; i += rows, a += rows * a_row, c += rows * c_row) {
        rows = even_piece(m - i, most);
        if (columns == 1) dots_tile<8, 1>(k, a, a_row, b, b_col, c, c_row, c_col, rows, 1, add);
        else if (columns == 2) dots_tile<4, 2>(k, a, a_row, b, b_col, c, c_row, c_col, rows, 2, add);
        else if (dots_most == 3 || (rows <= 3 && columns == 3))
            dots_tile<3, 3>(k, a, a_row, b, b_col, c, c_row, c_col, rows, columns, add);
        else if constexpr (dots_most == 4) {
            if (columns == 4 && rows == 4) dots_tile<4, 4>(k, a, a_row, b, b_col, c, c_row, c_col, 4, 4, add);
            else if (columns == 3) dots_tile<4, 3>(k, a, a_row, b, b_col, c, c_row, c_col, 4, 3, add);
            else dots_tile<4, 3>(k, b, b_col, a, a_row, c, c_col, c_row, 4, rows, add);  // its transpose
        }
    }
}

/// C = A B for an A with contiguous rows and a B with contiguous columns; C has any strides. Best for n <= m.
template <class T>
void dots_product(index_t m, index_t n, index_t k, const T* a, index_t a_row, const T* b, index_t b_col, T* c,
                  index_t c_row, index_t c_col) {
    // columns of B for a strip stay in L1, rows of A for all strips in L2
    constexpr index_t depth = index_t(1) << 12 >> (sizeof(T) / 4), height = 24;
    for (index_t p = 0; p < k; p += depth)
        for (index_t i = 0; i < m; i += height) {
            int columns;
            for (index_t j = 0; j < n; j += columns) {
                columns = even_piece(n - j, dots_most);
                dots_strip(m - i < height ? m - i : height, k - p < depth ? k - p : depth, a + i * a_row + p, a_row,
                           b + j * b_col + p, b_col, c + i * c_row + j * c_col, c_row, c_col, columns, p > 0);
            }
        }
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
#endif  // RICCI_HAS_SIMD
