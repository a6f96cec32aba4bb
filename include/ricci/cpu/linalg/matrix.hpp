// What the factorizations are made of: row-major matrices in memory, and work on their rows.
#pragma once
#include <cmath>
#include <complex>
#include <limits>
#include <memory>

#include "../../core/dtype.hpp"
#include "../gemm.hpp"
#include "../lines.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// A row-major matrix of which rows lie `step` elements apart.
template <class T>
struct matrix_span {
    T* data;
    index_t rows, columns, step;

    RICCI_INLINE T* row(index_t i) const { return data + i * step; }
    RICCI_INLINE T& operator()(index_t i, index_t j) const { return data[i * step + j]; }
    matrix_span block(index_t i, index_t j, index_t height, index_t width) const {
        return {data + i * step + j, height, width, step};
    }
};

/// A matrix of its own.
template <class T>
class matrix_buffer {
   public:
    matrix_buffer(index_t rows, index_t columns)
        : memory_(storage::allocate(static_cast<std::size_t>(rows * columns) * sizeof(T))),
          rows_(rows),
          columns_(columns) {}
    T* data() const { return static_cast<T*>(memory_.data()); }
    matrix_span<T> span() const { return {data(), rows_, columns_, columns_}; }

   private:
    storage memory_;
    index_t rows_, columns_;
};

template <class T>
RICCI_INLINE T conjugate(const T& x) {
    if constexpr (is_complex_v<T>) return {x.real(), -x.imag()};
    else return x;
}
template <class T>
RICCI_INLINE real_t<T> real_part(const T& x) {
    if constexpr (is_complex_v<T>) return x.real();
    else return x;
}
/// The textbook's product: the standard library's looks for infinities in a NaN.
template <class T>
RICCI_INLINE T times(const T& x, const T& y) {
    if constexpr (is_complex_v<T>)
        return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
    else return x * y;
}
/// |Re x| + |Im x|, which orders pivots as LAPACK does.
template <class T>
RICCI_INLINE real_t<T> size_of(const T& x) {
    if constexpr (is_complex_v<T>) return std::abs(x.real()) + std::abs(x.imag());
    else return std::abs(x);
}
template <class T>
bool is_finite(const T& x) {
    return size_of(x) <= std::numeric_limits<real_t<T>>::max();
}

/// As many numbers of a row as there are in a register.
template <class T>
constexpr index_t row_lanes() {
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<real_t<T>>)
        return std::max<index_t>(1, simd<real_t<T>>::lanes * sizeof(real_t<T>) / sizeof(T));
#endif
    return 1;
}

// ---- Rows ----------------------------------------------------------------------------------------------------------

/// y += a x.
template <class T>
RICCI_INLINE void add_scaled(index_t n, T a, const T* x, T* y) {
    index_t i = 0;
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<T>) {
        using lane = simd<T>;
        const lane factor(a);
        for (; i + lane::lanes <= n; i += lane::lanes)
            math::fma(factor, lane::load(x + i), lane::load(y + i)).store(y + i);
    }
#endif
    for (; i < n; ++i) y[i] += times(a, x[i]);
}
/// The sum of x y, without a conjugate.
template <class T>
RICCI_INLINE T dot_product(index_t n, const T* x, const T* y) {
    index_t i = 0;
    T sum(0);
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<T>) {
        using lane = simd<T>;
        lane even(T(0)), odd(T(0));
        for (; i + 2 * lane::lanes <= n; i += 2 * lane::lanes) {
            even = math::fma(lane::load(x + i), lane::load(y + i), even);
            odd = math::fma(lane::load(x + i + lane::lanes), lane::load(y + i + lane::lanes), odd);
        }
        if (i + lane::lanes <= n) {
            even = math::fma(lane::load(x + i), lane::load(y + i), even);
            i += lane::lanes;
        }
        if (i > 0) sum = reduce_add(even + odd);
    }
#endif
    if constexpr (is_complex_v<T>) {  // several sums, whose errors are smaller than one's
        T parts[4] = {};
        for (; i + 4 <= n; i += 4)
            for (int k = 0; k < 4; ++k) parts[k] += times(x[i + k], y[i + k]);
        sum = (parts[0] + parts[1]) + (parts[2] + parts[3]);
    }
    for (; i < n; ++i) sum += times(x[i], y[i]);
    return sum;
}
/// The sum of conj(x) y.
template <class T>
T inner_product(index_t n, const T* x, const T* y) {
    if constexpr (is_complex_v<T>) {
        T parts[4] = {};  // as in dot_product
        index_t i = 0;
        for (; i + 4 <= n; i += 4)
            for (int k = 0; k < 4; ++k) parts[k] += times(conjugate(x[i + k]), y[i + k]);
        T sum = (parts[0] + parts[1]) + (parts[2] + parts[3]);
        for (; i < n; ++i) sum += times(conjugate(x[i]), y[i]);
        return sum;
    } else {
        return dot_product(n, x, y);
    }
}
template <class T>
real_t<T> sum_of_squares(index_t n, const T* x) {
    // a complex number is two real ones side by side
    using R = real_t<T>;
    const auto* parts = reinterpret_cast<const R*>(x);
    const index_t count = n * static_cast<index_t>(sizeof(T) / sizeof(R));
    return dot_product(count, parts, parts);
}
/// The Euclidean length, which neither overflows nor underflows before its result does.
template <class T>
real_t<T> length_of(index_t n, const T* x) {
    using R = real_t<T>;
    const R squares = sum_of_squares(n, x);
    if (squares > std::numeric_limits<R>::min() * 1000000 && squares <= std::numeric_limits<R>::max())
        return std::sqrt(squares);
    if (squares != squares) return squares;  // a maximum would leave NaN out
    R largest = 0;
    for (index_t i = 0; i < n; ++i) largest = std::max(largest, size_of(x[i]));
    if (!(largest > 0) || !(largest <= std::numeric_limits<R>::max())) return largest;
    R sum = 0;
    for (index_t i = 0; i < n; ++i) {
        const T scaled = x[i] / largest;
        sum += real_part(times(conjugate(scaled), scaled));
    }
    return largest * std::sqrt(sum);
}
/// A power of two whose quotient with x, and with which the quotient of 1, are normal numbers near 1.
template <class R>
R power_of_two_near(R x) {
    int exponent = 0;
    std::frexp(x, &exponent);
    exponent = std::max(exponent, std::numeric_limits<R>::min_exponent + 2);
    return std::ldexp(R(1), std::min(exponent, std::numeric_limits<R>::max_exponent - 2));
}
/// f on each number of a row, which a register of them is given to, too.
template <class T, class F>
RICCI_INLINE void change_row(index_t n, T* x, const F& f) {
    index_t i = 0;
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<T>)
        for (; i + simd<T>::lanes <= n; i += simd<T>::lanes) f(simd<T>::load(x + i)).store(x + i);
#endif
    for (; i < n; ++i) x[i] = f(x[i]);
}
template <class T, class S>
RICCI_INLINE void scale_row(index_t n, S a, T* x) {
    if constexpr (is_complex_v<T> && is_complex_v<S>)
        for (index_t i = 0; i < n; ++i) x[i] = times(x[i], a);
    else if constexpr (is_complex_v<T>) scale_row(2 * n, a, reinterpret_cast<real_t<T>*>(x));
    else change_row(n, x, [a](const auto& y) { return y * std::remove_cvref_t<decltype(y)>(a); });
}
template <class T, class S>
RICCI_INLINE void divide_row(index_t n, S a, T* x) {
    if constexpr (is_complex_v<T> && is_complex_v<S>)
        for (index_t i = 0; i < n; ++i) x[i] /= a;
    else if constexpr (is_complex_v<T>) divide_row(2 * n, a, reinterpret_cast<real_t<T>*>(x));
    else change_row(n, x, [a](const auto& y) { return y / std::remove_cvref_t<decltype(y)>(a); });
}
template <class T>
RICCI_INLINE void swap_rows(index_t n, T* x, T* y) {
    for (index_t i = 0; i < n; ++i) std::swap(x[i], y[i]);
}
/// (x, y) becomes (c x - s y, s x + c y).
template <class T, class R>
RICCI_INLINE void rotate_rows(index_t n, R c, R s, T* x_row, T* y_row) {
    auto* x = reinterpret_cast<R*>(x_row);
    auto* y = reinterpret_cast<R*>(y_row);
    n *= static_cast<index_t>(sizeof(T) / sizeof(R));
    index_t i = 0;
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<R>) {
        using lane = simd<R>;
        const lane cc(c), ss(s);
        for (; i + lane::lanes <= n; i += lane::lanes) {
            const lane a = lane::load(x + i), b = lane::load(y + i);
            (cc * a - ss * b).store(x + i);
            (ss * a + cc * b).store(y + i);
        }
    }
#endif
    for (; i < n; ++i) {
        const R a = x[i], b = y[i];
        x[i] = c * a - s * b;
        y[i] = s * a + c * b;
    }
}
/// to = the transpose of from, conjugated.
template <class T>
void copy_adjoint(const matrix_span<T>& from, const matrix_span<T>& to) {
    constexpr index_t tile = 16;
    for (index_t i0 = 0; i0 < from.rows; i0 += tile)
        for (index_t j0 = 0; j0 < from.columns; j0 += tile)
            for (index_t i = i0; i < std::min(i0 + tile, from.rows); ++i)
                for (index_t j = j0; j < std::min(j0 + tile, from.columns); ++j) to(j, i) = conjugate(from(i, j));
}
/// to[j * to_step + i] = from[i * step + j] of rows x columns elements.
template <class T>
void copy_turned(index_t rows, index_t columns, const T* from, index_t step, T* to, index_t to_step) {
    if constexpr (is_complex_v<T> || !simd_supported<T>) {
        constexpr index_t tile = 16;
        for (index_t i0 = 0; i0 < rows; i0 += tile)
            for (index_t j0 = 0; j0 < columns; j0 += tile)
                for (index_t i = i0; i < std::min(i0 + tile, rows); ++i)
                    for (index_t j = j0; j < std::min(j0 + tile, columns); ++j)
                        to[j * to_step + i] = from[i * step + j];
    } else {
        copy_transposed(rows, columns, from, step, 1, to, to_step);
    }
}
template <class T>
void copy_matrix(const matrix_span<T>& from, const matrix_span<T>& to) {
    for (index_t i = 0; i < from.rows; ++i) std::copy(from.row(i), from.row(i) + from.columns, to.row(i));
}
template <class T>
void fill_identity(const matrix_span<T>& a) {
    for (index_t i = 0; i < a.rows; ++i) {
        std::fill(a.row(i), a.row(i) + a.columns, T(0));
        if (i < a.columns) a(i, i) = T(1);
    }
}

// ---- Products ------------------------------------------------------------------------------------------------------

#if defined(RICCI_HAS_SIMD)
/// Rows first ... first + R - 1 of C -= A B for as many columns from j on as a register has lanes.
template <int R, class T>
RICCI_INLINE void subtract_block(const matrix_span<T>& c, index_t first, index_t j, index_t k, const T* a,
                                 index_t a_row, index_t a_column, const T* b, index_t b_row) {
    using lane = simd<T>;
    lane sum[R];
    RICCI_UNROLL
    for (int r = 0; r < R; ++r) sum[r] = lane::load(c.row(first + r) + j);
    for (index_t p = 0; p < k; ++p) {
        const lane row = lane::load(b + p * b_row + j);
        RICCI_UNROLL
        for (int r = 0; r < R; ++r) sum[r] = math::fma(lane(-a[(first + r) * a_row + p * a_column]), row, sum[r]);
    }
    RICCI_UNROLL
    for (int r = 0; r < R; ++r) sum[r].store(c.row(first + r) + j);
}
#endif
/// C -= A B of few elements, of which B's rows are contiguous.
template <class T>
void subtract_small_product(const matrix_span<T>& c, index_t k, const T* a, index_t a_row, index_t a_column, const T* b,
                            index_t b_row) {
    index_t j = 0;
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<T>) {
        for (; j + simd<T>::lanes <= c.columns; j += simd<T>::lanes) {
            index_t i = 0;
            for (; i + 4 <= c.rows; i += 4) subtract_block<4>(c, i, j, k, a, a_row, a_column, b, b_row);
            for (; i < c.rows; ++i) subtract_block<1>(c, i, j, k, a, a_row, a_column, b, b_row);
        }
    }
#endif
    if (j == c.columns) return;
    for (index_t i = 0; i < c.rows; ++i)
        for (index_t p = 0; p < k; ++p)
            add_scaled(c.columns - j, T(-a[i * a_row + p * a_column]), b + p * b_row + j, c.row(i) + j);
}
/// C -= A B, where A's and B's elements lie at any strides.
template <class T>
void subtract_product(const matrix_span<T>& c, index_t k, const T* a, index_t a_row, index_t a_column, const T* b,
                      index_t b_row, index_t b_column) {
    if (c.rows == 0 || c.columns == 0 || k == 0) return;
    if (c.columns == 1 && c.step == 1 && b_row == 1 && (a_row == 1 || a_column == 1)) {  // of vectors
        for (index_t i = 0; i < c.rows && a_column == 1; ++i) c.data[i] -= dot_product(k, a + i * a_row, b);
        for (index_t p = 0; p < k && a_column != 1; ++p) add_scaled(c.rows, T(-b[p]), a + p * a_column, c.data);
        return;
    }
    constexpr index_t few = simd_supported<T> ? 1 << 15 : 1 << 12;
    if (b_column == 1 && c.rows * c.columns * k <= few)
        return subtract_small_product(c, k, a, a_row, a_column, b, b_row);
    const index_t piece = std::min<index_t>(c.rows, 512);
    const matrix_buffer<T> product(piece, c.columns);
    for (index_t i = 0; i < c.rows; i += piece) {
        const index_t rows = std::min(piece, c.rows - i);
        gemm<T>(rows, c.columns, k, a + i * a_row, a_row, a_column, b, b_row, b_column, product.data(), c.columns);
        parallel_pieces(rows, 1 + (index_t(1) << 16) / c.columns, [&](index_t first, index_t count) {
            for (index_t r = first; r < first + count; ++r)
                add_scaled(c.columns, T(-1), product.data() + r * c.columns, c.row(i + r));
        });
    }
}
template <class T>
void subtract_product(const matrix_span<T>& c, const matrix_span<T>& a, const matrix_span<T>& b) {
    subtract_product(c, a.columns, a.data, a.step, 1, b.data, b.step, 1);
}
/// C = A B.
template <class T>
void multiply(const matrix_span<T>& a, const matrix_span<T>& b, const matrix_span<T>& c) {
    gemm<T>(a.rows, b.columns, a.columns, a.data, a.step, 1, b.data, b.step, 1, c.data, c.step);
}

/// body(matrix number) for each matrix of a stack, each of about `work` steps, on several threads where that pays.
template <class Body>
void for_matrices(index_t count, index_t work, const Body& body) {
    for_blocks(count, work, body);
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
