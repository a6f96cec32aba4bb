// Groups of a few numbers, side by side in memory, into the lanes of registers, one group in each, and back.
#pragma once
#include "vector.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

#if defined(RICCI_HAS_SIMD)
#if !defined(__CUDACC__)  // nvcc loses the pack of a shuffle
/// Whether groups of so many elements come apart by taking every second one again and again.
template <int Size, class T>
inline constexpr bool halves_apart = Size > 0 && (Size < simd<T>::lanes) && simd<T>::lanes % Size == 0;

/// Registers of elements 0, 1, ..., Size - 1, 0, 1, ... in memory's order become those of element 0, Step, 2 * Step,
/// ... of a.
template <int Size, int Step, class T>
RICCI_INLINE void halve_apart(const simd<T>* v, simd<T>* a) {
    if constexpr (Size == 1) {
        *a = *v;
    } else {
        constexpr std::make_index_sequence<simd<T>::lanes> all;
        simd<T> even[Size / 2], odd[Size / 2];
        RICCI_UNROLL
        for (int k = 0; k < Size / 2; ++k) {
            even[k] = every_second<0>(v[2 * k], v[2 * k + 1], all);
            odd[k] = every_second<1>(v[2 * k], v[2 * k + 1], all);
        }
        halve_apart<Size / 2, 2 * Step>(even, a);
        halve_apart<Size / 2, 2 * Step>(odd, a + Step);
    }
}
/// The reverse.
template <int Size, int Step, class T>
RICCI_INLINE void put_together(const simd<T>* a, simd<T>* v) {
    if constexpr (Size == 1) {
        *v = *a;
    } else {
        constexpr std::make_index_sequence<simd<T>::lanes> all;
        simd<T> even[Size / 2], odd[Size / 2];
        put_together<Size / 2, 2 * Step>(a, even);
        put_together<Size / 2, 2 * Step>(a + Step, odd);
        RICCI_UNROLL
        for (int k = 0; k < Size / 2; ++k) {
            v[2 * k] = interleaved<0>(even[k], odd[k], all);
            v[2 * k + 1] = interleaved<simd<T>::lanes>(even[k], odd[k], all);
        }
    }
}
#else
template <int Size, class T>
inline constexpr bool halves_apart = false;
#endif

/// Where a block of elements up to e and beyond begins: the last one overlaps that before.
template <int Size, int Lanes>
constexpr int first_of_block(int e) {
    return Size < Lanes || e + Lanes <= Size ? e : Size - Lanes;
}
/// How many elements of row k of a block a group has where it has fewer than lanes, else 0: so end the last groups of
/// those too short for a register.
template <int Size, class T>
RICCI_INLINE index_t elements_left(int k, int first) {
    constexpr int lanes = simd<T>::lanes;
    const index_t room = (lanes - k) * Size - first;
    return Size >= lanes || room >= lanes ? 0 : room % lanes;
}
/// The elements of as many groups as there are lanes, `Size` each, into the lanes of a[e].
template <int Size, class T>
RICCI_INLINE void load_group(const T* from, simd<T>* a) {
    using lane = simd<T>;
    constexpr int lanes = lane::lanes;
    if constexpr (halves_apart<Size, T>) {
        lane v[Size];
        RICCI_UNROLL
        for (int k = 0; k < Size; ++k) v[k] = lane::load(from + k * lanes);
        halve_apart<Size, 1>(v, a);
    } else {
        RICCI_UNROLL
        for (int e = 0; e < Size; e += lanes) {
            const int first = first_of_block<Size, lanes>(e);
            lane block[lanes];
            RICCI_UNROLL
            for (int k = 0; k < lanes; ++k) {
                const T* const row = from + k * Size + first;
                const index_t left = elements_left<Size, T>(k, first);
                block[k] = left ? lane::load_partial(row, left) : lane::load(row);
            }
            transpose_square(block);
            RICCI_UNROLL
            for (int i = 0; i < lanes; ++i)
                if (first + i >= e && first + i < Size) a[first + i] = block[i];
        }
    }
}
/// The reverse. What a group too short for a register has behind it is the next one's, which is written later.
template <int Size, class T>
RICCI_INLINE void store_group(const simd<T>* a, T* to) {
    using lane = simd<T>;
    constexpr int lanes = lane::lanes;
    if constexpr (halves_apart<Size, T>) {
        lane v[Size];
        put_together<Size, 1>(a, v);
        RICCI_UNROLL
        for (int k = 0; k < Size; ++k) v[k].store(to + k * lanes);
    } else {
        RICCI_UNROLL
        for (int e = 0; e < Size; e += lanes) {
            const int first = first_of_block<Size, lanes>(e);
            lane block[lanes];
            RICCI_UNROLL
            for (int i = 0; i < lanes; ++i) block[i] = a[first + i < Size ? first + i : Size - 1];
            transpose_square(block);
            RICCI_UNROLL
            for (int k = 0; k < lanes; ++k) {
                T* const row = to + k * Size + first;
                const index_t left = elements_left<Size, T>(k, first);
                if (left) block[k].store_partial(row, left);
                else block[k].store(row);
            }
        }
    }
}
#endif

}  // namespace RICCI_ISA
}  // namespace ricci::detail
