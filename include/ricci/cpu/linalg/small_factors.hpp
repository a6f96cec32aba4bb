// Determinants, systems and Cholesky factors of many small matrices: one matrix in each lane of the registers.
#pragma once
#include "../../core/product_in_range.hpp"
#include "small.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

#if defined(RICCI_HAS_SIMD)
/// body(first, number of matrices) for as many matrices at a time as there are lanes.
template <class T, class Body>
void for_lanes(index_t count, index_t work, const Body& body) {
    constexpr index_t lanes = simd<T>::lanes;
    for_blocks((count + lanes - 1) / lanes, work,
               [&](index_t block) { body(block * lanes, std::min(lanes, count - block * lanes)); });
}

/// U in place of A by elimination with partial pivoting, which x's rows of `columns` elements follow; exchanges of rows
/// are selections. Gives their sign.
template <int N, class T>
RICCI_INLINE simd<T> eliminate_lanes(simd<T>* a, int size, simd<T>* x, int columns) {
    using lane = simd<T>;
    const int n = N ? N : size;
    const lane zero(T(0));
    lane sign(T(1));
    RICCI_UNROLL
    for (int k = 0; k < n; ++k) {
        RICCI_UNROLL
        for (int i = k + 1; i < n; ++i) {
            const auto larger = math::abs(a[k * n + k]) < math::abs(a[i * n + k]);
            const auto exchange = [&](lane& upper, lane& lower) {
                const lane kept = upper;
                upper = math::select(larger, lower, kept);
                lower = math::select(larger, kept, lower);
            };
            sign = math::select(larger, -sign, sign);
            RICCI_UNROLL
            for (int j = k; j < n; ++j) exchange(a[k * n + j], a[i * n + j]);
            for (int j = 0; j < columns; ++j) exchange(x[k * columns + j], x[i * columns + j]);
        }
        const auto singular = a[k * n + k] == zero;
        RICCI_UNROLL
        for (int i = k + 1; i < n; ++i) {
            const lane factor = math::select(singular, a[i * n + k], -a[i * n + k] / a[k * n + k]);  // 0 there, or NaN
            RICCI_UNROLL
            for (int j = k + 1; j < n; ++j) a[i * n + j] = math::fma(factor, a[k * n + j], a[i * n + j]);
            for (int j = 0; j < columns; ++j)
                x[i * columns + j] = math::fma(factor, x[k * columns + j], x[i * columns + j]);
        }
    }
    return sign;
}

/// The products of n pivots in each lane where some leave the range on the way.
template <class T>
[[gnu::cold]] RICCI_NOINLINE void products_in_range(const T* pivots, const T* sign, T* to, index_t count, int n) {
    T own[8];
    for (index_t k = 0; k < count; ++k) {
        for (int i = 0; i < n; ++i) own[i] = pivots[i * simd<T>::lanes + k];
        to[k] = sign[k] * product_in_range(own, 1, n, [](T x) { return size_of(x); });
    }
}
template <int N, class T>
RICCI_FLATTEN void determinant_group(const T* from, T* to, index_t count, int size) {
    const int n = N ? N : size;
    simd<T> a[N ? N * N : 64];
    load_lanes<N * N>(from, count, n * n, n, a);
    if constexpr (has_closed_form(N)) {
        simd_mask<T> regular;
        const simd<T> closed = closed_determinant<N, T>(a, regular);
        if (math::all(regular)) [[likely]]
            return store_register(to, count, closed);
    }
    const simd<T> sign = eliminate_lanes<N, T>(a, n, nullptr, 0);
    simd<T> product = sign, least = math::abs(sign), most = least;
    RICCI_UNROLL
    for (int k = 0; k < n; ++k) {
        product = product * a[k * n + k];
        least = math::minimum(least, math::abs(product));
        most = math::maximum(most, math::abs(product));
    }
    using limits = std::numeric_limits<T>;
    if (math::all((least >= simd<T>(limits::min())) & (most <= simd<T>(limits::max())))) [[likely]]
        return store_register(to, count, product);
    T pivots[8 * simd<T>::lanes], signs[simd<T>::lanes];
    for (int k = 0; k < n; ++k) a[k * n + k].store(pivots + k * simd<T>::lanes);
    sign.store(signs);
    products_in_range(pivots, signs, to, count, n);
}
template <int Rank, class T>
void small_determinants(const T* from, T* to, index_t count, index_t n) {
    decltype(&determinant_group<0, T>) group = nullptr;
    with_order<T, Rank>(n, [&](auto order) { group = determinant_group<order(), T>; });
    for_lanes<T>(count, 2 * n * n * n, [&](index_t first, index_t some) {
        group(from + first * n * n, to + first, some, static_cast<int>(n));
    });
}

/// The signs and the logarithms of the absolute values, which neither overflow nor underflow.
template <int N, class T>
RICCI_FLATTEN void log_determinant_group(const T* from, T* sign, T* logarithm, index_t count, int size) {
    using lane = simd<T>;
    const int n = N ? N : size;
    const lane zero(T(0));
    lane a[N ? N * N : 64];
    load_lanes<N * N>(from, count, n * n, n, a);
    lane signs = eliminate_lanes<N, T>(a, n, nullptr, 0), sum = zero;
    RICCI_UNROLL
    for (int k = 0; k < n; ++k) {
        const lane pivot = a[k * n + k], length = math::abs(pivot);
        signs = math::select(length == zero, zero, signs * (pivot / length));
        sum = sum + math::log(length);
    }
    T results[2][lane::lanes];
    signs.store(results[0]);
    sum.store(results[1]);
    std::copy(results[0], results[0] + count, sign);
    std::copy(results[1], results[1] + count, logarithm);
}
template <int Rank, class T>
void small_log_determinants(const T* from, T* sign, T* logarithm, index_t count, index_t n) {
    decltype(&log_determinant_group<0, T>) group = nullptr;
    with_order<T, Rank>(n, [&](auto order) { group = log_determinant_group<order(), T>; });
    for_lanes<T>(count, 2 * n * n * n, [&](index_t first, index_t some) {
        group(from + first * n * n, sign + first, logarithm + first, some, static_cast<int>(n));
    });
}

/// x becomes A^-1 x; false, and nothing written, where a matrix is singular. Columns is their number, 0 where that is
/// any up to 8.
template <int N, int Columns, class T>
RICCI_FLATTEN bool solve_group(const T* from, T* x_data, index_t count, int size, int several) {
    using lane = simd<T>;
    const int n = N ? N : size, columns = Columns ? Columns : several;
    lane a[N ? N * N : 64], x[N && Columns ? N * Columns : 64];
    load_lanes<N * N>(from, count, n * n, n, a);
    load_lanes<N * Columns>(x_data, count, n * columns, n * columns, x);
    eliminate_lanes<N, T>(a, n, x, columns);
    bool singular = false;
    RICCI_UNROLL
    for (int i = n - 1; i >= 0; --i) {
        singular = singular || math::any(a[i * n + i] == lane(T(0)));
        for (int c = 0; c < columns; ++c) {
            lane rest = x[i * columns + c];
            RICCI_UNROLL
            for (int j = n - 1; j > i; --j) rest = math::fma(-a[i * n + j], x[j * columns + c], rest);
            x[i * columns + c] = rest / a[i * n + i];
        }
    }
    if (!singular) store_lanes<N * Columns>(x, count, n * columns, x_data);
    return !singular;
}
/// The same for any number; failed(first, count) is told of groups with a singular matrix.
template <int Rank, class T, class Failed>
void solve_small(const T* a, T* x, index_t count, index_t n, index_t columns, const Failed& failed) {
    decltype(&solve_group<0, 0, T>) group = nullptr;
    with_order<T, Rank>(
        n, [&](auto order) { group = columns == 1 ? solve_group<order(), 1, T> : solve_group<order(), 0, T>; });
    for_lanes<T>(count, 2 * n * n * (n + columns), [&](index_t first, index_t some) {
        if (!group(a + first * n * n, x + first * n * columns, some, static_cast<int>(n), static_cast<int>(columns)))
            failed(first, some);
    });
}

/// The factors in place of the matrices, zeros above the diagonal; false, and nothing written, where one is not
/// definite.
template <int N, class T>
RICCI_FLATTEN bool cholesky_group(T* data, index_t count, int size) {
    using lane = simd<T>;
    const int n = N ? N : size;
    const lane zero(T(0));
    lane a[N ? N * N : 64];
    load_lanes<N * N>(data, count, n * n, n, a);
    bool definite = true;
    RICCI_UNROLL
    for (int j = 0; j < n; ++j) {
        lane squared = a[j * n + j];
        RICCI_UNROLL
        for (int k = 0; k < j; ++k) squared = math::fma(-a[j * n + k], a[j * n + k], squared);
        definite = definite && math::all(squared > zero);
        const lane pivot = math::sqrt(squared);
        a[j * n + j] = pivot;
        RICCI_UNROLL
        for (int i = j + 1; i < n; ++i) {
            lane rest = a[i * n + j];
            RICCI_UNROLL
            for (int k = 0; k < j; ++k) rest = math::fma(-a[j * n + k], a[i * n + k], rest);
            a[i * n + j] = rest / pivot;
            a[j * n + i] = zero;
        }
    }
    if (definite) store_lanes<N * N>(a, count, n * n, data);
    return definite;
}
/// The same for any number; failed(first, count) is told of groups with a matrix that is not definite.
template <int Rank, class T, class Failed>
void small_cholesky(T* data, index_t count, index_t n, const Failed& failed) {
    decltype(&cholesky_group<0, T>) group = nullptr;
    with_order<T, Rank>(n, [&](auto order) { group = cholesky_group<order(), T>; });
    for_lanes<T>(count, 2 * n * n * n, [&](index_t first, index_t some) {
        if (!group(data + first * n * n, some, static_cast<int>(n))) failed(first, some);
    });
}
#endif

}  // namespace RICCI_ISA
}  // namespace ricci::detail
