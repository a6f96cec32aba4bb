// The matrix product on the CPU: on registers for floats, doubles, complex numbers and halves, plain loops for
// integers.
#pragma once
#include <cstring>
#include <type_traits>

#include "gemm/cblas.hpp"
#include "gemm/direct.hpp"
#include "gemm/dots.hpp"
#include "gemm/half.hpp"
#include "gemm/packed.hpp"
#include "gemm/small.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

// ---- Element types without registers -------------------------------------------------------------------------------

/// Integers wrap around, as NumPy's do: the arithmetic is that of unsigned ones, which is defined.
template <class T>
struct gemm_arithmetic {
    using type = T;
};
template <std::integral T>
struct gemm_arithmetic<T> {
    using type = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;
};

template <class S>
RICCI_INLINE void add_product(S& sum, const S& x, const S& y) {
    if constexpr (math::is_complex<
                      S>)  // the textbook's formula: that of the standard library sorts out infinities, slowly
        sum += S(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());
    else sum += x * y;
}

template <class T>
void gemm_plain(const gemm_problem<T>& g) {
    using S = typename gemm_arithmetic<T>::type;
    constexpr index_t piece = 256;  // of a row of C: its sums stay in L1
    S sum[piece];
    for (index_t i = 0; i < g.m; ++i)
        for (index_t j0 = 0; j0 < g.n; j0 += piece) {
            const index_t columns = g.n - j0 < piece ? g.n - j0 : piece;
            for (index_t j = 0; j < columns; ++j) sum[j] = S();
            for (index_t p = 0; p < g.k; ++p) {
                const S x = static_cast<S>(g.a[i * g.a_row + p * g.a_col]);
                const T* row = g.b + p * g.b_row + j0 * g.b_col;
                if (g.b_col == 1)
                    for (index_t j = 0; j < columns; ++j) add_product(sum[j], x, static_cast<S>(row[j]));
                else
                    for (index_t j = 0; j < columns; ++j) add_product(sum[j], x, static_cast<S>(row[j * g.b_col]));
            }
            for (index_t j = 0; j < columns; ++j) g.c[i * g.c_row + j0 + j] = static_cast<T>(sum[j]);
        }
    g.complete();
}

// ---- Floats and doubles --------------------------------------------------------------------------------------------

#if defined(RICCI_HAS_SIMD)

/// Memory for n elements: on the stack if they are few.
template <class T>
class gemm_scratch {
   public:
    T* get(index_t n) {
        if (n <= room) return few_;
        many_ = storage::allocate(static_cast<std::size_t>(n) * sizeof(T));
        return static_cast<T*>(many_.data());
    }

   private:
    static constexpr index_t room = 1024;
    storage many_;
    T few_[room];
};

/// Contiguous along k, few rows or few columns: inner products.
template <class T>
void gemm_dots(const gemm_problem<T>& g) {
    if (g.m >= g.n)
        parallel_pieces(g.m, 24 + gemm_grain / (g.k * g.n) / 24 * 24, [&](index_t i, index_t rows) {
            dots_product(rows, g.n, g.k, g.a + i * g.a_row, g.a_row, g.b, g.b_col, g.c + i * g.c_row, g.c_row, 1);
            g.complete(g.c + i * g.c_row, rows, g.n);
        });
    else
        parallel_pieces(g.n, 24 + gemm_grain / (g.k * g.m) / 24 * 24, [&](index_t j, index_t columns) {
            dots_product(columns, g.m, g.k, g.b + j * g.b_col, g.b_col, g.a, g.a_row, g.c + j, 1, g.c_row);
            g.complete(g.c + j, g.m, columns);
        });
}
/// The same after B's few columns, or A's few rows, were made contiguous.
template <class T>
void gemm_gathered_dots(gemm_problem<T> g) {
    gemm_scratch<T> memory;
    T* const b = memory.get(g.k * g.n);
    copy_transposed(g.k, g.n, g.b, g.b_row, g.b_col, b, g.k);
    g.b = b;
    g.b_row = 1;
    g.b_col = g.k;
    gemm_dots(g);
}
template <class T>
void gemm_dots_of_gathered(gemm_problem<T> g) {
    gemm_scratch<T> memory;
    T* const a = memory.get(g.m * g.k);
    copy_transposed(g.k, g.m, g.a, g.a_col, g.a_row, a, g.k);
    g.a = a;
    g.a_row = g.k;
    g.a_col = 1;
    gemm_dots(g);
}
/// Few rows of A against a B whose rows are contiguous.
template <class T>
void gemm_rows(const gemm_problem<T>& g) {
    constexpr index_t width = 1024;  // of C: few rows of it stay in L1
    parallel_pieces(g.n, width * (1 + gemm_grain / (g.k * g.m * width)), [&](index_t first, index_t columns) {
        for (index_t j = first; j < first + columns; j += width) {
            const index_t some = least(first + columns - j, width);
            rows_times_matrix(g.m, some, g.k, g.a, g.a_row, g.a_col, g.b + j, g.b_row, g.c + j, g.c_row);
            g.complete(g.c + j, g.m, some);
        }
    });
}
template <class T>
void gemm_simd(const gemm_problem<T>& g);

/// Few columns, and an A whose columns are contiguous: the transpose of C, from which C is copied.
template <class T>
void gemm_columns(const gemm_problem<T>& g) {
    gemm_scratch<T> memory;
    const bool in_place = g.n == 1 && g.c_row == 1;
    T* const c = in_place ? g.c : memory.get(g.m * g.n);
    gemm_simd(gemm_problem<T>{g.n, g.m, g.k, g.b, g.b_col, g.b_row, g.a, g.a_col, 1, c, g.m});
    if (!in_place) copy_transposed(g.n, g.m, c, g.m, 1, g.c, g.c_row);
    g.complete();
}

/// Without packing. B's rows are made contiguous where they are not.
template <class T>
void gemm_unpacked(gemm_problem<T> g) {
    constexpr index_t width = 2 * simd<T>::lanes;
    gemm_scratch<T> memory;
    if (g.b_col != 1 && g.n != 1) {
        T* const b = memory.get(g.k * g.n);
        copy_transposed(g.n, g.k, g.b, g.b_col, g.b_row, b, g.n);
        g.b = b;
        g.b_row = g.n;
    }
    g.b_col = 1;
    if (g.m >= g.n)
        parallel_pieces(g.m, 64 + gemm_grain / (g.n * g.k),
                        [&](index_t i, index_t rows) { gemm_direct(g.rows_from(i, rows)); });
    else
        parallel_pieces(g.n, width * (4 + gemm_grain / (g.m * g.k * width)),
                        [&](index_t j, index_t columns) { gemm_direct(g.columns_from(j, columns)); });
}

template <bool Add, class T>
void outer_product(const gemm_problem<T>& g) {
    parallel_pieces(g.m, 1 + gemm_grain / g.n, [&](index_t i, index_t rows) { gemm_outer<Add>(g.rows_from(i, rows)); });
}

/// Which way: packing pays where both matrices are used many times.
template <class T>
void gemm_simd(const gemm_problem<T>& g) {
    using blocks = gemm_blocks<T>;
    constexpr index_t lanes = simd<T>::lanes, cached = (index_t(1) << 19) / sizeof(T);
    const bool rows_of_b = g.b_col == 1 || g.n == 1, columns_of_b = g.b_row == 1 || g.k == 1;
    const bool rows_of_a = g.a_col == 1 || g.k == 1, deep = g.k >= 4 * lanes, narrow = g.n <= lanes / 2;
    if (g.n == 1 && rows_of_a) return columns_of_b ? gemm_dots(g) : gemm_gathered_dots(g);
    if (g.m == 1 && !rows_of_b && columns_of_b)  // the transpose
        return gemm_simd(
            gemm_problem<T>{g.n, 1, g.k, g.b, g.b_col, g.b_row, g.a, g.a_col, g.a_row, g.c, 1, g.epilogue});
    if (g.k == 1 && rows_of_b && g.n >= 4 * lanes) return outer_product<false>(g);
    if (rows_of_b && g.n * g.k <= 1024 && g.m <= 64 && !(narrow && deep)) return gemm_direct(g);
    if (deep && rows_of_a && columns_of_b && (g.m * g.n <= 1024 || least(g.m, g.n) <= 12)) return gemm_dots(g);
    if (narrow && deep && rows_of_a) return gemm_gathered_dots(g);
    if (deep && columns_of_b && g.m <= 12 && g.n > 2 * lanes) return gemm_dots_of_gathered(g);
    if (narrow && g.m > g.n && g.m >= lanes && g.a_row == 1) return gemm_columns(g);
    if (g.m <= 4 && rows_of_b && g.n * g.k > 1024 && g.n >= 4 * lanes) return gemm_rows(g);
    const bool few_rows = g.m <= 12 || (g.m <= 32 && g.n * g.k <= cached);
    const bool few_columns = rows_of_a && g.n <= blocks::unpacked_columns;
    const index_t small = rows_of_a ? blocks::unpacked : blocks::unpacked_across;
    if (g.n <= 2 * lanes || (rows_of_b && (few_rows || few_columns || g.k <= 16 || g.m * g.n * g.k <= small)))
        return gemm_unpacked(g);
    gemm_packed(g);
}

/// The products of a big factor and a small one, of n <= m columns, as real ones: where A is contiguous along k, it is
/// an m x 2k matrix, and a complex column of B two real ones; where it is along its columns, two real products are put
/// together. C's element (i, j) is c[i * c_row + j * c_col].
template <class T>
void gemm_few_complex(gemm_problem<T> g, index_t c_col) {
    using R = gemm_real<T>;
    gemm_scratch<T> dense, split, result;
    if (g.a_col != 1 && g.a_row != 1 && g.k != 1) {
        T* const a = dense.get(g.m * g.k);
        for (index_t i = 0; i < g.m; ++i)
            for (index_t p = 0; p < g.k; ++p) a[i * g.k + p] = g.a[i * g.a_row + p * g.a_col];
        g.a = a, g.a_row = g.k, g.a_col = 1;
    }
    const R* const a = reinterpret_cast<const R*>(g.a);
    R* const c = reinterpret_cast<R*>(result.get(2 * g.m * g.n));
    R* to = reinterpret_cast<R*>(split.get(2 * g.k * g.n));
    if (g.a_col == 1 || g.k == 1) {
        split_columns(g.k, g.n, g.b, g.b_row, g.b_col, to);
        gemm_simd(gemm_problem<R>{g.m, 2 * g.n, 2 * g.k, a, 2 * g.a_row, 1, to, 1, 2 * g.k, c, 2 * g.n});
        for (index_t i = 0; i < g.m; ++i)
            for (index_t j = 0; j < g.n; ++j)
                g.c[i * g.c_row + j * c_col] = T(c[2 * (i * g.n + j)], c[2 * (i * g.n + j) + 1]);
        return;
    }
    for (index_t j = 0; j < g.n; ++j, to += 2 * g.k)
        for (index_t p = 0; p < g.k; ++p) {
            const T x = g.b[p * g.b_row + j * g.b_col];
            to[p] = x.real();
            to[g.k + p] = x.imag();
        }
    to -= 2 * g.k * g.n;
    gemm_simd(gemm_problem<R>{2 * g.n, 2 * g.m, g.k, to, g.k, 1, a, 2 * g.a_col, 1, c, 2 * g.m});
    for (index_t j = 0; j < g.n; ++j) {
        const R *re = c + 4 * j * g.m, *im = re + 2 * g.m;
        for (index_t i = 0; i < g.m; ++i)
            g.c[i * g.c_row + j * c_col] = T(re[2 * i] - im[2 * i + 1], re[2 * i + 1] + im[2 * i]);
    }
}
template <class T>
void gemm_complex(const gemm_problem<T>& g) {
    constexpr index_t tiny = 4 * 4 * 4, small = 24 * 24 * 24;
    if (g.m * g.n * g.k > small && least(g.m, g.n) > 4) return gemm_packed(g);
    if (g.m * g.n * g.k <= tiny) gemm_plain(g.without_epilogue());
    else if (g.m >= g.n) gemm_few_complex(g, 1);
    else
        gemm_few_complex(gemm_problem<T>{g.n, g.m, g.k, g.b, g.b_col, g.b_row, g.a, g.a_col, g.a_row, g.c, 1}, g.c_row);
    if (g.is_symmetric()) mirror_lower(g);  // x y and y x are not rounded alike
    g.complete();
}
#endif

inline namespace RICCI_BLAS_NAMESPACE {

/// C = A B; C does not overlap A or B. k = 0 gives zeros. Every result is the same for any number of threads (CBLAS,
/// which has threads of its own, aside).
template <class T>
void gemm(const gemm_problem<T>& g) {
    static_assert(!std::is_same_v<T, bool>, "ricci: gemm has no products of booleans");
    if (g.m == 0 || g.n == 0) return;
    if constexpr (is_half_v<T>) return gemm_half(g, [](const gemm_problem<float>& block) { gemm(block); });
    if (g.k == 0) {
        for (index_t i = 0; i < g.m; ++i)
            for (index_t j = 0; j < g.n; ++j) g.c[i * g.c_row + j] = T();
        return g.complete();
    }
    const bool symmetric = g.is_symmetric();
    if (try_blas(g.m, g.n, g.k, g.a, g.a_row, g.a_col, g.b, g.b_row, g.b_col, g.c, g.c_row, symmetric)) {
        if (symmetric) mirror_lower(g);
        return g.complete();
    }
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<T>) return gemm_simd(g);
    else if constexpr (is_complex_v<T>) return gemm_complex(g);
#endif
    parallel_pieces(g.m, 1 + gemm_grain / (g.n * g.k),
                    [&](index_t first, index_t rows) { gemm_plain(g.rows_from(first, rows)); });
}
/// The same for strides counted in elements.
template <class T>
void gemm(index_t m, index_t n, index_t k, const T* a, index_t a_row, index_t a_col, const T* b, index_t b_row,
          index_t b_col, T* c, index_t c_row) {
    gemm(gemm_problem<T>{m, n, k, a, a_row, a_col, b, b_row, b_col, c, c_row});
}

/// Many products of one size: the leading axes of A and B, outermost first; those of C are dense.
template <class T>
struct gemm_batch {
    static constexpr int most_axes = 64;  // of two or more each: no more have room in memory
    gemm_problem<T> product;
    int axes = 0;
    index_t extent[most_axes], a_step[most_axes], b_step[most_axes];

    void add_axis(index_t n, index_t a, index_t b) {
        if (n == 1) return;
        extent[axes] = n;
        a_step[axes] = a;
        b_step[axes++] = b;
    }
    void run();

   private:
    /// Makes the innermost axis rows of one product: where B stays put and A's rows go on evenly, and where A stays put
    /// and B is a column for each, which are the rows of the transpose.
    bool becomes_rows() {
        gemm_problem<T>& g = product;
        const int d = axes - 1;
        if (b_step[d] == 0 && a_step[d] == g.m * g.a_row) {
            g.m *= extent[d];
            return true;
        }
        if (a_step[d] != 0 || g.n != 1 || d > 0) return false;
        g = {extent[d], g.m, g.k, g.b, b_step[d], g.b_row, g.a, g.a_col, g.a_row, g.c, g.m, g.epilogue};
        return true;
    }
    void run_range(index_t first, index_t count) const {
        index_t index[most_axes];
        gemm_problem<T> g = product;
        g.c += first * g.m * g.n;
        for (int d = axes - 1; d >= 0; --d) {
            index[d] = first % extent[d];
            first /= extent[d];
            g.a += index[d] * a_step[d];
            g.b += index[d] * b_step[d];
        }
        if (axes == 0) return gemm<T>(g);
        const int last = axes - 1;
        for (index_t run; count > 0; count -= run) {
            run = least(count, extent[last] - index[last]);
            multiply(g, run);
            g.a += run * a_step[last];
            g.b += run * b_step[last];
            g.c += run * g.m * g.n;
            index[last] += run;
            for (int d = last; index[d] == extent[d] && d > 0; --d) {
                g.a += a_step[d - 1] - a_step[d] * extent[d];
                g.b += b_step[d - 1] - b_step[d] * extent[d];
                index[d] = 0;
                ++index[d - 1];
            }
        }
    }
    /// `count` products along the innermost axis.
    void multiply(const gemm_problem<T>& first, index_t count) const {
        const index_t a = a_step[axes - 1], b = b_step[axes - 1];
        if constexpr (is_half_v<T>)
            if (multiply_half(first, count, a, b)) return;
#if defined(RICCI_HAS_SIMD)
        if constexpr (simd_supported<T>)
            if (try_small_products<T>(first, count, a, b)) return first.complete(first.c, count * first.m, first.n);
#endif
        gemm_problem<T> g = first;
        for (index_t i = 0; i < count; ++i, g.a += a, g.b += b, g.c += g.m * g.n) gemm<T>(g);
    }
    /// The same of 16 bits, as a batch of floats; false, and nothing done, where the matrices are not small.
    static bool multiply_half(gemm_problem<T> g, index_t count, index_t a_next, index_t b_next) {
        constexpr index_t room = index_t(1) << 16;
        const index_t a_size = g.m * g.k, b_size = g.k * g.n, c_size = g.m * g.n, size = a_size + b_size + c_size;
        const index_t together = least(count, room / (size + 1));
        if (together < 2) return false;
        const storage memory = storage::allocate(static_cast<std::size_t>(together * size) * sizeof(float));
        float* const a = static_cast<float*>(memory.data());
        float *const b = a + together * a_size, *const c = b + together * b_size;
        for (index_t run; count > 0; count -= run) {
            run = least(count, together);
            gemm_batch<float> floats;
            for (index_t i = 0; i < run; ++i, g.a += a_next, g.b += b_next) {
                const widened_matrix x(g.m, g.k, g.a, g.a_row, g.a_col, a + i * a_size);
                const widened_matrix y(g.k, g.n, g.b, g.b_row, g.b_col, b + i * b_size);
                if (i == 0) floats.product = {g.m, g.n, g.k, x.data, x.row, x.col, y.data, y.row, y.col, c, g.n};
            }
            floats.add_axis(run, a_size, b_size);
            floats.run();
            put_sums(g, c, run * g.m, g.n, g.c);
            g.c += run * c_size;
        }
        return true;
    }
};
template <class T>
void gemm_batch<T>::run() {
    while (axes > 0 && becomes_rows()) --axes;
    index_t count = 1;
    for (int d = 0; d < axes; ++d) count *= extent[d];
    if (count == 0) return;
    const index_t work = product.m * product.n * product.k;
    if (count <= 1 || work >= gemm_shared) run_range(0, count);
    else parallel_pieces(count, 1 + gemm_grain / (work + 1), [this](index_t i, index_t n) { run_range(i, n); });
}

}  // namespace RICCI_BLAS_NAMESPACE
}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
