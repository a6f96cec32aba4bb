// Batches of small matrix products: one call for many of them, tiles of C in registers, nothing packed.
#pragma once
#include "direct.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// The largest small matrices: rows, columns and depth.
inline constexpr index_t small_most = 32;

/// `count` products of g's size, C's dense and one after the other: at least Rows rows, columns for Vectors vectors, of
/// which the last may be partial. The last tile of rows overlaps the one before.
template <int Rows, int Vectors, class T, class Problem>
RICCI_NOINLINE inline void small_products(const Problem& g, index_t count, index_t a_step, index_t b_step) {
    constexpr int lanes = simd<T>::lanes;
    const int m = static_cast<int>(g.m), k = static_cast<int>(g.k);
    const int rest = static_cast<int>(g.n) - (Vectors - 1) * lanes;
    const T* a = g.a;
    const T* b = g.b;
    T* c = g.c;
    T turned[small_most * small_most];
    const bool turns = g.b_col != 1;
    const index_t b_row = turns ? g.n : g.b_row;
    const auto member = [&](auto load, auto store) RICCI_INLINE_LAMBDA {
        const T* right = b;
        if (turns) {
            copy_transposed(g.n, k, b, g.b_col, g.b_row, turned, g.n);
            right = turned;
        }
        for (int first = 0; first < m; first += Rows) {
            const int i0 = first + Rows <= m ? first : m - Rows;
            const T* left = a + i0 * g.a_row;
            simd<T> sum[Rows][Vectors];
            RICCI_UNROLL
            for (int i = 0; i < Rows; ++i) RICCI_UNROLL
            for (int v = 0; v < Vectors; ++v) sum[i][v] = simd<T>(T(0));
            const T* row = right;
            for (int p = 0; p < k; ++p, left += g.a_col, row += b_row) {
                simd<T> y[Vectors];
                RICCI_UNROLL
                for (int v = 0; v + 1 < Vectors; ++v) y[v] = simd<T>::load(row + v * lanes);
                y[Vectors - 1] = load(row + (Vectors - 1) * lanes);
                RICCI_UNROLL
                for (int v = 0; v < Vectors; ++v) RICCI_KEEP_VECTOR(y[v].v);  // loads bind
                RICCI_UNROLL
                for (int i = 0; i < Rows; ++i) {
                    const simd<T> x(left[i * g.a_row]);
                    RICCI_UNROLL
                    for (int v = 0; v < Vectors; ++v) sum[i][v] = math::fma(x, y[v], sum[i][v]);
                }
            }
            T* to = c + i0 * g.n;
            RICCI_UNROLL
            for (int i = 0; i < Rows; ++i, to += g.n) {
                RICCI_UNROLL
                for (int v = 0; v + 1 < Vectors; ++v) sum[i][v].store(to + v * lanes);
                store(sum[i][Vectors - 1], to + (Vectors - 1) * lanes);
            }
        }
        a += a_step;
        b += b_step;
        c += g.m * g.n;
    };
    if (rest == lanes)
        for (index_t i = 0; i < count; ++i)
            member([](const T* at) { return simd<T>::load(at); }, [](const simd<T>& x, T* at) { x.store(at); });
    else
        for (index_t i = 0; i < count; ++i)
            member([rest](const T* at) { return simd<T>::load_partial(at, rest); },
                   [rest](const simd<T>& x, T* at) { x.store_partial(at, rest); });
}

/// `count` products of N x N matrices, all dense, N = 2, 3 or 4, in vectors of four elements: two rows in one, or a row
/// in each.
template <int N, class T>
RICCI_NOINLINE inline void tiny_products(const T* a, const T* b, T* c, index_t count, index_t a_step, index_t b_step) {
    using V = typename four<T>::vector;
    const auto load = [](V& to, const T* from) RICCI_INLINE_LAMBDA { std::memcpy(&to, from, sizeof(V)); };
    const auto store = [](T* to, const V& from) RICCI_INLINE_LAMBDA { std::memcpy(to, &from, sizeof(V)); };
    for (index_t i = 0; i < count; ++i, a += a_step, b += b_step, c += N * N) {
        V right[N], sum[N];
        if constexpr (N == 2) {
            V left;
            load(left, a);
            load(right[0], b);
            sum[0] = __builtin_shufflevector(left, left, 0, 0, 2, 2) *
                         __builtin_shufflevector(right[0], right[0], 0, 1, 0, 1) +
                     __builtin_shufflevector(left, left, 1, 1, 3, 3) *
                         __builtin_shufflevector(right[0], right[0], 2, 3, 2, 3);
            store(c, sum[0]);
        } else {
            RICCI_UNROLL
            for (int p = 0; p < N; ++p) {
                load(right[p], b + (p * N + 4 > N * N ? N * N - 4 : p * N));
                RICCI_KEEP_VECTOR(right[p]);
            }
            if constexpr (N == 3) right[2] = __builtin_shufflevector(right[2], right[2], 1, 2, 3, 3);
            RICCI_UNROLL
            for (int r = 0; r < N; ++r) {
                sum[r] = a[r * N] * right[0];
                RICCI_UNROLL
                for (int p = 1; p < N; ++p) sum[r] += a[r * N + p] * right[p];
            }
            // of three rows the last begins with what the one before ends with, so that nothing behind C is written
            if constexpr (N == 3) sum[2] = __builtin_shufflevector(sum[1], sum[2], 2, 4, 5, 6);
            RICCI_UNROLL
            for (int r = 0; r < N; ++r) store(c + (r * N + 4 > N * N ? N * N - 4 : r * N), sum[r]);
        }
    }
}
/// False, and nothing done, where the matrices are not such.
template <class T, class Problem>
bool try_tiny_products(const Problem& g, index_t count, index_t a_step, index_t b_step) {
    const index_t n = g.n;
    if (n > 4 || g.m != n || g.k != n || g.a_row != n || g.a_col != 1 || g.b_row != n || g.b_col != 1) return false;
    if (n == 2) tiny_products<2>(g.a, g.b, g.c, count, a_step, b_step);
    else if (n == 3) tiny_products<3>(g.a, g.b, g.c, count, a_step, b_step);
    else tiny_products<4>(g.a, g.b, g.c, count, a_step, b_step);
    return true;
}

/// A matrix of `rows` rows for each of `count` vectors, K elements (`depth` of them where K is 0), or the transpose of
/// that: so little that numbers one by one take less than registers, which would have to be filled and added up.
template <int K, class T>
RICCI_NOINLINE inline void small_vectors(index_t rows, index_t depth, const T* a, index_t row, index_t column,
                                         index_t a_step, const T* v, index_t next, index_t v_step, T* y,
                                         index_t count) {
    const index_t k = K ? K : depth;
    for (; count > 0; --count, a += a_step, v += v_step) {
        const T* at = a;
        for (index_t i = 0; i < rows; ++i, at += row) {
            T sum(0);  // a sum of zeros below 0 is 0, as it is elsewhere
            for (index_t p = 0; p < k; ++p) sum += at[p * column] * v[p * next];
            *y++ = sum;
        }
    }
}
/// False, and nothing done, where the products are not such.
template <class T, class Problem>
bool try_small_vectors(const Problem& g, index_t count, index_t a_step, index_t b_step) {
    constexpr index_t most_deep = 6, most_rows = 16;
    const index_t rows = g.n == 1 ? g.m : g.n, k = g.k;
    if ((g.n != 1 && g.m != 1) || k < 1 || k > most_deep || rows > most_rows) return false;
    const auto run = [&](auto deep) {
        if (g.n == 1)
            small_vectors<deep(), T>(rows, k, g.a, g.a_row, g.a_col, a_step, g.b, g.b_row, b_step, g.c, count);
        else small_vectors<deep(), T>(rows, k, g.b, g.b_col, g.b_row, b_step, g.a, g.a_col, a_step, g.c, count);
    };
    if (k == 2) run(std::integral_constant<int, 2>{});
    else if (k == 3) run(std::integral_constant<int, 3>{});
    else if (k == 4) run(std::integral_constant<int, 4>{});
    else run(std::integral_constant<int, 0>{});
    return true;
}

/// Multiplies `count` pairs of small matrices; false, and nothing done, where they are not small.
template <class T, class Problem>
bool try_small_products(const Problem& g, index_t count, index_t a_step, index_t b_step) {
    constexpr index_t lanes = simd<T>::lanes;
    if (count > 1 && try_small_vectors<T>(g, count, a_step, b_step)) return true;
    if (g.m < 2 || g.m > small_most || g.k < 1 || g.k > small_most || g.n < 2 || g.n > small_most || g.n > 2 * lanes ||
        count < 2)
        return false;
    if (try_tiny_products<T>(g, count, a_step, b_step)) return true;
    const auto run = [&](auto rows) {
        if (g.n <= lanes) small_products<rows(), 1, T>(g, count, a_step, b_step);
        else small_products<rows(), 2, T>(g, count, a_step, b_step);
    };
    if (g.m >= 8 && direct_rows >= 8) run(std::integral_constant<int, 8>{});
    else if (g.m >= 4) run(std::integral_constant<int, 4>{});
    else run(std::integral_constant<int, 2>{});
    return true;
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
#endif  // RICCI_HAS_SIMD
