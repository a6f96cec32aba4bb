// Distances of each row of a matrix to each of another, and sums of the rows' weighted differences.
#pragma once
#include <algorithm>

#include "gemm.hpp"
#include "line_grid.hpp"

namespace ricci::detail {

/// The p-norms of differences for p = 1, 2 and infinity.
enum class row_metric { city_block, euclidean, chebyshev };

#if defined(RICCI_HAS_SIMD)
inline namespace RICCI_ISA {

// How a difference is added to a sum, two sums are, and what a distance is of the whole.
struct city_block_metric {
    template <class S>
    static RICCI_INLINE S add(S sum, S difference) {
        return sum + math::abs(difference);
    }
    template <class S>
    static RICCI_INLINE S join(S a, S b) {
        return a + b;
    }
    template <class S>
    static RICCI_INLINE S finish(S sum) {
        return sum;
    }
};
struct euclidean_metric : city_block_metric {
    template <class S>
    static RICCI_INLINE S add(S sum, S difference) {
        return math::fma(difference, difference, sum);
    }
    template <class S>
    static RICCI_INLINE S finish(S sum) {
        return math::sqrt(sum);
    }
};
struct chebyshev_metric : city_block_metric {
    template <class S>
    static RICCI_INLINE S add(S most, S difference) {
        return math::maximum(most, math::abs(difference));
    }
    template <class S>
    static RICCI_INLINE S join(S a, S b) {
        return math::maximum(a, b);
    }
};

/// Rows of x and registers of rows of y in a tile of distances.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int distance_rows = 4, distance_vectors = 4;
#else
inline constexpr int distance_rows = 4, distance_vectors = 2;
#endif
template <class T>
inline constexpr index_t distance_width = distance_vectors * simd<T>::lanes;

/// The distances of Rows rows x[i] of k elements to rows of y, of which a panel has `distance_width` elements for each
/// column, as far as Vectors reach. Long sums are sums of sums.
template <int Rows, int Vectors, class Metric, class T>
RICCI_NOINLINE inline void distance_tile(index_t k, const T* const* x, const T* panel, T* const* to) {
    constexpr index_t lanes = simd<T>::lanes, depth = 128;
    for (index_t first = 0; first < k; first += depth) {
        const index_t end = std::min(first + depth, k);
        simd<T> sum[Rows][Vectors];
        RICCI_UNROLL
        for (int i = 0; i < Rows; ++i) {
            RICCI_UNROLL
            for (int v = 0; v < Vectors; ++v) sum[i][v] = simd<T>(T(0));
        }
        for (index_t p = first; p < end; ++p, panel += distance_width<T>) {
            simd<T> y[Vectors];
            RICCI_UNROLL
            for (int v = 0; v < Vectors; ++v) y[v] = simd<T>::load(panel + v * lanes);
            RICCI_UNROLL
            for (int i = 0; i < Rows; ++i) {
                const simd<T> a(x[i][p]);
                RICCI_UNROLL
                for (int v = 0; v < Vectors; ++v) sum[i][v] = Metric::add(sum[i][v], a - y[v]);
            }
        }
        RICCI_UNROLL
        for (int i = 0; i < Rows; ++i) {
            RICCI_UNROLL
            for (int v = 0; v < Vectors; ++v) {
                T* const at = to[i] + v * lanes;
                const simd<T> all = first > 0 ? Metric::join(simd<T>::load(at), sum[i][v]) : sum[i][v];
                (end == k ? Metric::finish(all) : all).store(at);
            }
        }
    }
}

/// The distances of all rows of x (m x k) to those of y (n x k), as a matrix, or with Pairs, x being y, to those behind
/// each, one row's after the other's.
template <bool Pairs, class Metric, class T>
class row_distances {
    static constexpr index_t lanes = simd<T>::lanes, width = distance_width<T>;
    static constexpr index_t tall = 256;  // rows of x for which panels are packed once
    index_t m_, n_, k_, wide_;

   public:
    row_distances(index_t m, index_t n, index_t k) : m_(m), n_(n), k_(k) {
        constexpr index_t cache = (index_t(1) << 17) / static_cast<index_t>(sizeof(T));  // elements of panels
        wide_ = std::clamp(cache / (k * width), index_t(1), index_t(16)) * width;
    }
    index_t blocks() const { return down() * ((n_ + wide_ - 1) / wide_); }
    index_t work() const { return std::min(tall, m_) * std::min(wide_, n_) * (k_ + 2) / lanes; }
    void run(index_t block, const T* x, const T* y, T* to) const {
        const index_t top = block % down() * tall, left = block / down() * wide_;
        const index_t bottom = std::min(top + tall, m_), right = std::min(left + wide_, n_);
        if (Pairs && right <= top + 1) return;
        gemm_scratch<T> memory;
        T* const panels = memory.get(k_ * ((right - left + width - 1) / width * width));
        for (index_t j = left; j < right; j += width) pack(y, j, panels + (j - left) * k_);
        for (index_t i = top; i < bottom; i += distance_rows) {
            const T* rows[distance_rows];  // beyond the last row its copies: computed, not stored
            for (int r = 0; r < distance_rows; ++r) rows[r] = x + std::min(i + r, bottom - 1) * k_;
            for (index_t j = left; j < right; j += width)
                if (!Pairs || j + width > i + 1) tile(i, bottom, j, rows, panels + (j - left) * k_, to);
        }
    }

   private:
    index_t down() const { return (m_ + tall - 1) / tall; }
    void pack(const T* y, index_t j, T* panel) const {
        const index_t columns = std::min(width, n_ - j);
        copy_transposed(columns, k_, y + j * k_, k_, 1, panel, width);
        if (columns < width)
            for (index_t p = 0; p < k_; ++p) std::fill(panel + p * width + columns, panel + (p + 1) * width, T(0));
    }
    /// Where column 0 of row i would be.
    index_t place(index_t i) const { return Pairs ? i * (2 * n_ - i - 3) / 2 - 1 : i * n_; }
    void tile(index_t i, index_t bottom, index_t j, const T* const (&rows)[distance_rows], const T* panel,
              T* to) const {
        T few[distance_rows * width];
        T* at[distance_rows];
        const bool whole = i + distance_rows <= bottom && j + width <= n_ && (!Pairs || i + distance_rows <= j);
        for (int r = 0; r < distance_rows; ++r) at[r] = whole ? to + (place(i + r) + j) : few + r * width;
        if (n_ - j <= lanes) distance_tile<distance_rows, 1, Metric>(k_, rows, panel, at);
        else if (i + 1 == bottom) distance_tile<1, distance_vectors, Metric>(k_, rows, panel, at);
        else distance_tile<distance_rows, distance_vectors, Metric>(k_, rows, panel, at);
        if (whole) return;
        for (index_t r = 0; i + r < std::min(bottom, i + distance_rows); ++r) {
            const index_t first = Pairs ? std::max(j, i + r + 1) : j, end = std::min(j + width, n_);
            if (first < end) std::copy(at[r] + (first - j), at[r] + (end - j), to + (place(i + r) + first));
        }
    }
};

/// Rows of y, or of both, of a sum of weighted differences, or of their signs, that are worked on together.
inline constexpr int difference_columns = 4;
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int difference_rows = 4;
#else
inline constexpr int difference_rows = 2;
#endif

/// sums[i][c] of w[i][j] (x[i][c] - y[c][j]), or of the differences' signs, over j < n.
template <bool Signs, class T>
RICCI_NOINLINE inline void difference_tile(index_t n, const T* const (&w)[difference_rows],
                                           const T (&x)[difference_rows][difference_columns],
                                           const T* const (&y)[difference_columns],
                                           T (&sums)[difference_rows * difference_columns]) {
    constexpr int lanes = simd<T>::lanes, count = difference_rows * difference_columns;
    simd<T> sum[count];
    RICCI_UNROLL
    for (int s = 0; s < count; ++s) sum[s] = simd<T>(T(0));
    const auto term = [](simd<T> weight, simd<T> difference) RICCI_INLINE_LAMBDA {
        if constexpr (Signs) {
            const auto signs = (difference < simd<T>(T(0))) | (difference > simd<T>(T(0)));
            return weight * math::select(signs, math::copysign(simd<T>(T(1)), difference), difference);
        } else return weight * difference;
    };
    index_t j = 0;
    for (; j + lanes <= n; j += lanes) {
        simd<T> weight[difference_rows];
        RICCI_UNROLL
        for (int r = 0; r < difference_rows; ++r) weight[r] = simd<T>::load(w[r] + j);
        RICCI_UNROLL
        for (int c = 0; c < difference_columns; ++c) {
            const simd<T> column = simd<T>::load(y[c] + j);
            RICCI_UNROLL
            for (int r = 0; r < difference_rows; ++r) {
                simd<T>& s = sum[r * difference_columns + c];
                if constexpr (Signs) s += term(weight[r], simd<T>(x[r][c]) - column);
                else s = math::fma(weight[r], simd<T>(x[r][c]) - column, s);
            }
        }
    }
    if (const index_t rest = n - j; rest > 0)
        for (int c = 0; c < difference_columns; ++c)
            for (int r = 0; r < difference_rows; ++r) {
                T terms[lanes];  // what no element stands for is none of them, even where 0 * inf were
                term(simd<T>::load_partial(w[r] + j, rest), simd<T>(x[r][c]) - simd<T>::load_partial(y[c] + j, rest))
                    .store(terms);
                sum[r * difference_columns + c] += simd<T>::load_partial(terms, rest);
            }
    sum_lanes<count>(sum, sums);
}

/// sums (m x k) = the sum over j of w(i, j) times x(i, :) - y(j, :), or with Signs its signs, for x (m x k), y (n x k)
/// and weights (m x n) of which rows or columns are contiguous. `transposed` is y's transpose.
template <bool Signs, class T>
class weighted_differences {
    static constexpr index_t tall = 32, across = 512;  // weights that stay in the cache
    index_t m_, n_, k_, w_row_, w_column_;

   public:
    weighted_differences(index_t m, index_t n, index_t k, index_t w_row, index_t w_column)
        : m_(m), n_(n), k_(k), w_row_(w_row), w_column_(w_column) {}
    index_t blocks() const { return (m_ + tall - 1) / tall; }
    index_t work() const { return std::min(tall, m_) * n_ * k_ / simd<T>::lanes; }
    void run(index_t block, const T* w, const T* x, const T* transposed, T* sums) const {
        const index_t top = block * tall, rows = std::min(tall, m_ - top);
        gemm_scratch<T> memory;
        T* const packed = w_column_ == 1 ? nullptr : memory.get(tall * across);
        std::fill(sums + top * k_, sums + (top + rows) * k_, T(0));
        for (index_t first = 0; first < n_; first += across) {
            const index_t n = std::min(across, n_ - first);
            const T* part = w + (top * w_row_ + first * w_column_);
            if (packed) copy_transposed(n, rows, part, w_column_, w_row_, packed, across);
            for (index_t r = 0; r < rows; r += difference_rows)
                add_rows(n, packed ? packed + r * across : part + r * w_row_, packed ? across : w_row_,
                         x + (top + r) * k_, transposed + first, sums + (top + r) * k_,
                         std::min<index_t>(difference_rows, rows - r));
        }
    }

   private:
    void add_rows(index_t n, const T* w, index_t w_row, const T* x, const T* y, T* sums, index_t rows) const {
        const T* weights[difference_rows];  // beyond the last row, or column, its copies
        for (index_t r = 0; r < difference_rows; ++r) weights[r] = w + std::min(r, rows - 1) * w_row;
        for (index_t k = 0; k < k_; k += difference_columns) {
            const T* columns[difference_columns];
            T own[difference_rows][difference_columns], part[difference_rows * difference_columns];
            for (index_t c = 0; c < difference_columns; ++c) {
                const index_t column = std::min(k + c, k_ - 1);
                columns[c] = y + column * n_;
                for (index_t r = 0; r < difference_rows; ++r) own[r][c] = x[std::min(r, rows - 1) * k_ + column];
            }
            difference_tile<Signs>(n, weights, own, columns, part);
            for (index_t r = 0; r < rows; ++r)
                for (index_t c = 0; c < std::min<index_t>(difference_columns, k_ - k); ++c)
                    sums[r * k_ + k + c] += part[r * difference_columns + c];
        }
    }
};

/// f(the metric's type).
template <class F>
void with_metric(row_metric metric, const F& f) {
    if (metric == row_metric::city_block) f(city_block_metric());
    else if (metric == row_metric::euclidean) f(euclidean_metric());
    else f(chebyshev_metric());
}

}  // namespace RICCI_ISA
#else  // named by ops that are not called then
template <bool Pairs, class Metric, class T>
class row_distances;
template <bool Signs, class T>
class weighted_differences;
#endif

}  // namespace ricci::detail
