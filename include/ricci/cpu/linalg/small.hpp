// Inverses of many small matrices: one matrix in each lane of the registers.
#pragma once
#include "../fft/vector.hpp"
#include "lu.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

#if defined(RICCI_HAS_SIMD)
/// Inverts lanes-many matrices in place, element (i, j) of all in a[i * n + j], by Gauss-Jordan elimination with
/// partial pivoting; exchanges of rows are selections. Gives the lanes whose matrix is singular. N is n where that is
/// known.
template <int N, class T>
RICCI_INLINE bool invert_lanes(simd<T>* a, int size) {
    using lane = simd<T>;
    const int n = N ? N : size;
    constexpr int most = N ? N : 8;
    using mask = decltype(a[0] < a[0]);
    mask exchanged[most * most];
    bool singular = false;
    RICCI_UNROLL
    for (int k = 0; k < n; ++k) {
        RICCI_UNROLL
        for (int i = k + 1; i < n; ++i) {
            const mask larger = math::abs(a[k * n + k]) < math::abs(a[i * n + k]);
            exchanged[k * n + i] = larger;
            RICCI_UNROLL
            for (int j = 0; j < n; ++j) {
                const lane upper = a[k * n + j], lower = a[i * n + j];
                a[k * n + j] = math::select(larger, lower, upper);
                a[i * n + j] = math::select(larger, upper, lower);
            }
        }
        singular = singular || math::any(a[k * n + k] == lane(T(0)));
        const lane scale = lane(T(1)) / a[k * n + k];
        a[k * n + k] = lane(T(1));
        RICCI_UNROLL
        for (int j = 0; j < n; ++j) a[k * n + j] *= scale;
        RICCI_UNROLL
        for (int i = 0; i < n; ++i) {
            if (i == k) continue;
            const lane factor = -a[i * n + k];
            a[i * n + k] = lane(T(0));
            RICCI_UNROLL
            for (int j = 0; j < n; ++j) a[i * n + j] = math::fma(factor, a[k * n + j], a[i * n + j]);
        }
    }
    // (P A)^-1 = A^-1 P^-1: the exchanges once more, backwards, of columns
    RICCI_UNROLL
    for (int k = n - 1; k >= 0; --k) RICCI_UNROLL
    for (int i = n - 1; i > k; --i) RICCI_UNROLL
    for (int j = 0; j < n; ++j) {
        const lane left = a[j * n + k], right = a[j * n + i];
        a[j * n + k] = math::select(exchanged[k * n + i], right, left);
        a[j * n + i] = math::select(exchanged[k * n + i], left, right);
    }
    return singular;
}

/// Element e of `count` matrices of `elements`, side by side in memory, into the lanes of a[e], and back. Lanes that are
/// left over hold the identity of n rows. Size is `elements` where that is known.
template <int Size, class T>
RICCI_INLINE void load_lanes(const T* from, index_t count, int elements, int n, simd<T>* a) {
    using lane = simd<T>;
    constexpr int lanes = lane::lanes;
    if constexpr (Size > 0 && Size % lanes == 0) {
        RICCI_UNROLL
        for (int e = 0; e < Size; e += lanes) {
            lane block[lanes];
            RICCI_UNROLL
            for (int k = 0; k < lanes; ++k) {
                T one[lanes];
                for (int i = 0; i < lanes && k >= count; ++i) one[i] = T((e + i) % (n + 1) == 0);
                block[k] = lane::load(k < count ? from + k * Size + e : one);
            }
            transpose_square(block);
            RICCI_UNROLL
            for (int i = 0; i < lanes; ++i) a[e + i] = block[i];
        }
    } else {
        T turned[(Size ? Size : 64) * lanes];
        copy_transposed<T>(count, elements, from, elements, 1, turned, lanes);
        for (int e = 0; e < elements; ++e)
            for (index_t k = count; k < lanes; ++k) turned[e * lanes + k] = T(e % (n + 1) == 0);
        for (int e = 0; e < elements; ++e) a[e] = lane::load(turned + e * lanes);
    }
}
template <int Size, class T>
RICCI_INLINE void store_lanes(const simd<T>* a, index_t count, int elements, T* to) {
    using lane = simd<T>;
    constexpr int lanes = lane::lanes;
    if constexpr (Size > 0 && Size % lanes == 0) {
        RICCI_UNROLL
        for (int e = 0; e < Size; e += lanes) {
            lane block[lanes];
            RICCI_UNROLL
            for (int i = 0; i < lanes; ++i) block[i] = a[e + i];
            transpose_square(block);
            RICCI_UNROLL
            for (int k = 0; k < lanes; ++k)
                if (k < count) block[k].store(to + k * Size + e);
        }
    } else {
        T turned[(Size ? Size : 64) * lanes];
        for (int e = 0; e < elements; ++e) a[e].store(turned + e * lanes);
        copy_transposed<T>(elements, count, turned, lanes, 1, to, elements);
    }
}

/// Inverts `count` matrices, side by side in memory. False, and nothing written, where one is singular.
template <int N, class T>
RICCI_FLATTEN bool invert_group(const T* from, T* to, index_t count, int size) {
    const int n = N ? N : size, elements = n * n;
    simd<T> a[N ? N * N : 64];
    load_lanes<N * N>(from, count, elements, n, a);
    if (invert_lanes<N>(a, n)) return false;
    store_lanes<N * N>(a, count, elements, to);
    return true;
}
/// The same for any number; failed(first, count) is told of groups with a singular one.
template <class T, class Failed>
void invert_small(const T* from, T* to, index_t count, int n, const Failed& failed) {
    constexpr index_t lanes = simd<T>::lanes;
    const auto group = n == 2   ? invert_group<2, T>
                       : n == 3 ? invert_group<3, T>
                       : n == 4 ? invert_group<4, T>
                                : invert_group<0, T>;
    for_blocks((count + lanes - 1) / lanes, 4 * n * n * n, [&](index_t block) {
        const index_t first = block * lanes, some = std::min(lanes, count - first);
        if (!group(from + first * n * n, to + first * n * n, some, n)) failed(first, some);
    });
}
#endif

}  // namespace RICCI_ISA
}  // namespace ricci::detail
