// LU factorization with partial pivoting, triangular systems and what follows from them: solve, inv, det.
#pragma once
#include "matrix.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

// ---- Triangular systems --------------------------------------------------------------------------------------------

/// A triangular matrix at any strides: the element in row i and column j is data[i * row + j * column], conjugated if
/// asked.
template <class T>
struct triangle {
    const T* data;
    index_t row, column;
    bool upper, unit;

    RICCI_INLINE T operator()(index_t i, index_t j) const { return data[i * row + j * column]; }
    triangle from(index_t i) const { return {data + i * (row + column), row, column, upper, unit}; }
};

/// x becomes A^-1 x of few elements: the one that was found last comes last into a sum, for which it is waited.
template <class T>
void solve_few(const triangle<T>& a, T* x, index_t n) {
    for (index_t k = 0; k < n; ++k) {
        const index_t i = a.upper ? n - 1 - k : k;
        T rest = x[i];
        for (index_t p = 0; p < k; ++p) {
            const index_t j = a.upper ? n - 1 - p : p;
            rest -= times(a(i, j), x[j]);
        }
        x[i] = a.unit ? rest : rest / a(i, i);
    }
}
#if defined(RICCI_HAS_SIMD)
/// The first columns of X, whole registers of them, become those of A^-1 X; how many. Of eight rows, which stay in
/// registers.
template <class T>
index_t solve_eight_rows(const triangle<T>& a, const matrix_span<T>& x) {
    using lane = simd<T>;
    constexpr int n = 8;
    T factor[n][n];  // in the order in which the rows are found
    index_t order[n];
    for (int k = 0; k < n; ++k) order[k] = a.upper ? n - 1 - k : k;
    for (int k = 0; k < n; ++k)
        for (int p = 0; p <= k; ++p) factor[k][p] = p < k ? T(-a(order[k], order[p])) : a(order[k], order[k]);
    T* row[n];
    for (int k = 0; k < n; ++k) row[k] = x.row(order[k]);
    index_t c = 0;
    for (; c + lane::lanes <= x.columns; c += lane::lanes) {
        lane found[n];
        RICCI_UNROLL
        for (int k = 0; k < n; ++k) found[k] = lane::load(row[k] + c);
        RICCI_UNROLL
        for (int p = 0; p < n; ++p) {
            if (!a.unit) found[p] = found[p] / lane(factor[p][p]);
            RICCI_UNROLL
            for (int k = p + 1; k < n; ++k) found[k] = math::fma(lane(factor[k][p]), found[p], found[k]);
        }
        RICCI_UNROLL
        for (int k = 0; k < n; ++k) found[k].store(row[k] + c);
    }
    return c;
}
#endif
/// X becomes A^-1 X. Recursive, so that nearly all of the work is products.
template <class T>
void solve_triangle(const triangle<T>& a, const matrix_span<T>& x) {
    const index_t n = x.rows;
    if (n <= 8) {
        if (x.columns == 1 && x.step == 1) return solve_few(a, x.data, n);
        index_t done = 0;
#if defined(RICCI_HAS_SIMD)
        if constexpr (simd_supported<T> && !is_complex_v<T>)
            if (n == 8) done = solve_eight_rows(a, x);
#endif
        if (done == x.columns) return;
        const index_t columns = x.columns - done;
        for (index_t k = 0; k < n; ++k) {
            const index_t i = a.upper ? n - 1 - k : k;
            T* const row = x.row(i) + done;
            for (index_t j = a.upper ? i + 1 : 0; j < (a.upper ? n : i); ++j)
                add_scaled(columns, T(-a(i, j)), x.row(j) + done, row);
            if (!a.unit) {
                const T pivot = a(i, i);
                for (index_t c = 0; c < columns; ++c) row[c] /= pivot;
            }
        }
        return;
    }
    const index_t half = std::max<index_t>(8, n / 2 / 8 * 8);
    const auto top = x.block(0, 0, half, x.columns), bottom = x.block(half, 0, n - half, x.columns);
    const T* const beside = a.upper ? &a.data[half * a.column] : &a.data[half * a.row];
    if (a.upper) {
        solve_triangle(a.from(half), bottom);
        subtract_product(top, n - half, beside, a.row, a.column, bottom.data, x.step, 1);
        solve_triangle(a, top);
    } else {
        solve_triangle(a, top);
        subtract_product(bottom, half, beside, a.row, a.column, top.data, x.step, 1);
        solve_triangle(a.from(half), bottom);
    }
}

// ---- LU ------------------------------------------------------------------------------------------------------------

/// A row's part in step k of the elimination: its element k becomes the factor by which the pivot's row is subtracted
/// from what follows. Registers begin where they did in the steps before, and keep their elements up to k:
/// memory is read as it was written, without waiting, and no numbers are left over in front.
template <class T>
class elimination_step {
    const T* pivot_row_;
    index_t k_, columns_;
#if defined(RICCI_HAS_SIMD)
    using lane = std::conditional_t<simd_supported<T>, simd<T>, char>;
    lane numbers_ = {};
#endif

   public:
    elimination_step(const matrix_span<T>& a, index_t k) : pivot_row_(a.row(k)), k_(k), columns_(a.columns) {
#if defined(RICCI_HAS_SIMD)
        if constexpr (simd_supported<T>) {
            T number[lane::lanes];
            for (int i = 0; i < lane::lanes; ++i) number[i] = static_cast<T>(i);
            numbers_ = lane::load(number);
        }
#endif
    }
    RICCI_INLINE void operator()(T* row) const {
        const T factor = row[k_] / pivot_row_[k_];
        index_t j = k_ + 1;
#if defined(RICCI_HAS_SIMD)
        if constexpr (simd_supported<T>) {
            const index_t begin = j / lane::lanes * lane::lanes;
            if (begin < j && begin + lane::lanes <= columns_) {
                const lane here(static_cast<T>(k_ - begin)), before = lane::load(row + begin);
                const lane after = math::fma(lane(-factor), lane::load(pivot_row_ + begin), before);
                const lane left = math::select(numbers_ == here, lane(factor), before);
                math::select(numbers_ <= here, left, factor != T(0) ? after : before).store(row + begin);
                j = begin + lane::lanes;
            }
        }
#endif
        if (j == k_ + 1) row[k_] = factor;
        if (factor != T(0) && j < columns_) add_scaled(columns_ - j, T(-factor), pivot_row_ + j, row + j);
    }
};

template <bool Exchange, class T>
void factor_columns(const matrix_span<T>& a, index_t* swaps) {
    const index_t steps = std::min(a.rows, a.columns);
    for (index_t k = 0; k < steps; ++k) {
        index_t at = k;
        real_t<T> largest = size_of(a(k, k));
        for (index_t i = k + 1; i < a.rows && Exchange; ++i) {
            const real_t<T> size = size_of(a(i, k));
            const bool larger = size > largest || size != size;  // as selections: which it is cannot be foreseen
            at = larger ? i : at;
            largest = larger ? size : largest;
        }
        swaps[k] = at;
        if (at != k) swap_rows(a.columns, a.row(k), a.row(at));
        if (a(k, k) == T(0)) continue;
        const elimination_step<T> step(a, k);
        for (index_t i = k + 1; i < a.rows; ++i) step(a.row(i));
    }
}
template <class T>
void apply_swaps(const matrix_span<T>& a, const index_t* swaps, index_t count) {
    for (index_t k = 0; k < count; ++k)
        if (swaps[k] != k) swap_rows(a.columns, a.row(k), a.row(swaps[k]));
}
/// P A = L U in place, row k exchanged with row swaps[k] >= k in turn, or, unless Exchange, with none. The columns
/// are halved recursively (Toledo 1997).
template <bool Exchange = true, class T>
void factor_lu(const matrix_span<T>& a, index_t* swaps) {
    const index_t steps = std::min(a.rows, a.columns);
    if (steps <= 16) return factor_columns<Exchange>(a, swaps);
    const index_t half = steps / 2 / 8 * 8;
    const auto left = a.block(0, 0, a.rows, half), right = a.block(0, half, a.rows, a.columns - half);
    factor_lu<Exchange>(left, swaps);
    apply_swaps(right, swaps, half);
    const auto top = right.block(0, 0, half, right.columns), rest = right.block(half, 0, a.rows - half, right.columns);
    solve_triangle(triangle<T>{a.data, a.step, 1, false, true}, top);
    subtract_product(rest, left.block(half, 0, a.rows - half, half), top);
    factor_lu<Exchange>(rest, swaps + half);
    apply_swaps(left.block(half, 0, a.rows - half, half), swaps + half, steps - half);
    for (index_t k = half; k < steps; ++k) swaps[k] += half;
}

/// The first k with U(k, k) = 0; -1 where there is none.
template <class T>
index_t zero_pivot(const matrix_span<T>& lu) {
    for (index_t k = 0; k < std::min(lu.rows, lu.columns); ++k)
        if (lu(k, k) == T(0)) return k;
    return -1;
}
/// X becomes A^-1 X, of A's factors.
template <class T>
void solve_factored(const matrix_span<T>& lu, const index_t* swaps, const matrix_span<T>& x) {
    apply_swaps(x, swaps, lu.rows);
    solve_triangle(triangle<T>{lu.data, lu.step, 1, false, true}, x);
    solve_triangle(triangle<T>{lu.data, lu.step, 1, true, false}, x);
}

/// A^-1 from A's factors, as U^-1 L^-1 P.
template <class T>
void invert_factored(const matrix_span<T>& lu, const index_t* swaps, const matrix_span<T>& inverse) {
    constexpr index_t width = 64;
    const index_t n = lu.rows;
    fill_identity(inverse);
    for (index_t k = 0; k < n; k += width)  // columns of L^-1, which has nothing above its diagonal
        solve_triangle(triangle<T>{lu.row(k) + k, lu.step, 1, false, true},
                       inverse.block(k, k, n - k, std::min(width, n - k)));
    solve_triangle(triangle<T>{lu.data, lu.step, 1, true, false}, inverse);
    for (index_t i = 0; i < n; ++i)
        for (index_t k = n - 1; k >= 0; --k)
            if (swaps[k] != k) std::swap(inverse(i, k), inverse(i, swaps[k]));
}

/// A system of one matrix: X becomes A^-1 X and A is spoilt; the place of a zero pivot, or -1.
template <class T>
index_t solve_system(const matrix_span<T>& a, const matrix_span<T>& x) {
    const matrix_buffer<index_t> swaps(1, a.rows);
    factor_lu(a, swaps.data());
    if (const index_t k = zero_pivot(a); k >= 0) return k;
    solve_factored(a, swaps.data(), x);
    return -1;
}
/// A becomes A^-1; the place of a zero pivot, or -1.
template <class T>
index_t invert(const matrix_span<T>& a) {
    const matrix_buffer<T> copy(a.rows, a.rows);
    const matrix_buffer<index_t> swaps(1, a.rows);
    copy_matrix(a, copy.span());
    factor_lu(copy.span(), swaps.data());
    if (const index_t k = zero_pivot(copy.span()); k >= 0) return k;
    invert_factored(copy.span(), swaps.data(), a);
    return -1;
}

/// X becomes A^-T X, of A's factors.
template <class T>
void solve_factored_transposed(const matrix_span<T>& lu, const index_t* swaps, const matrix_span<T>& x) {
    solve_triangle(triangle<T>{lu.data, 1, lu.step, false, false}, x);
    solve_triangle(triangle<T>{lu.data, 1, lu.step, true, true}, x);
    for (index_t k = lu.rows - 1; k >= 0; --k)
        if (swaps[k] != k) swap_rows(x.columns, x.row(k), x.row(swaps[k]));
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
