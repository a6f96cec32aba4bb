// What advanced indexing does to elements on the CPU: rows and elements moved or joined to positions of another array.
#pragma once
#include <array>
#include <concepts>
#include <cstring>

#include "../core/intrinsics.hpp"
#include "bind.hpp"
#include "combine.hpp"
#include "simd.hpp"

namespace ricci::detail {

/// Whether n indices are positions counted from the front, all of them in range.
template <std::signed_integral I>
RICCI_VECTORIZE bool are_positions(const I* index, index_t n, index_t extent) {
    std::uint64_t wrong = 0;  // the highest bit tells of an index below 0 or beyond the last one
    const auto last = static_cast<std::uint64_t>(extent - 1);
    for (index_t t = 0; t < n; ++t) {
        const auto i = static_cast<std::uint64_t>(index[t]);
        wrong |= i | (last - i);
    }
    return static_cast<index_t>(wrong) >= 0;
}

/// n rows of `length` elements: those of x start at x + x_at[t], those of y at y + y_at[t], or evenly where y_at is
/// null.
struct row_moves {
    std::byte* x;
    const index_t* x_at;
    std::byte* y;
    const index_t* y_at;
    index_t y_step, n, length;

    /// Calls each(where), where(t) being the offset of row t of y.
    template <class Each>
    RICCI_INLINE void with_offsets(const Each& each) const {
        if (y_at) each([&](index_t t) { return y_at[t]; });
        else if (y_step == 1) each([](index_t t) { return t; });
        else each([&](index_t t) { return t * y_step; });
    }
};
using move_function = void (*)(const row_moves&);

inline namespace RICCI_ISA {
/// Four elements, if all four are positions. Their checks are joined into one branch, beside which the loads do not
/// wait for each other: a pass of checks before one of loads takes twice as long.
template <class U>
RICCI_INLINE bool gather_four(const U* x, const index_t* at, index_t extent, U* y) {
    const auto end = static_cast<std::size_t>(extent);
    const auto a = static_cast<std::size_t>(at[0]), b = static_cast<std::size_t>(at[1]);
    const auto c = static_cast<std::size_t>(at[2]), d = static_cast<std::size_t>(at[3]);
    if ((a >= end) | (b >= end) | (c >= end) | (d >= end)) [[unlikely]]
        return false;
    const U first = x[a], second = x[b], third = x[c], fourth = x[d];
    y[0] = first, y[1] = second, y[2] = third, y[3] = fourth;
    return true;
}
#if defined(__AVX512FP16__) && !defined(RICCI_NO_SIMD)
// Processors from Sapphire Rapids on gather quickly; the microcode of older ones keeps data from being sampled, so that
// their gathers take twice as long as single loads (1.06 against 0.57 ns a float).
template <class U>
inline constexpr index_t gathered_at_once = sizeof(U) == 4 || sizeof(U) == 8 ? 8 : 4;
/// So many elements, if all of them are positions.
template <class U>
RICCI_INLINE bool gather_some(const U* x, const index_t* at, index_t extent, U* y) {
    if constexpr (gathered_at_once<U> == 4) {
        return gather_four(x, at, extent, y);
    } else {
        const __m512i i = _mm512_loadu_si512(at);
        const __mmask8 inside = _mm512_cmplt_epu64_mask(i, _mm512_set1_epi64(extent));
        if constexpr (sizeof(U) == 4)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(y),
                                _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), inside, i, x, 4));
        else _mm512_storeu_si512(y, _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), inside, i, x, 8));
        return inside == 0xff;
    }
}
#else
template <class U>
inline constexpr index_t gathered_at_once = 4;
template <class U>
RICCI_INLINE bool gather_some(const U* x, const index_t* at, index_t extent, U* y) {
    return gather_four(x, at, extent, y);
}
#endif
/// y[t] = x[at[t]]; false, and some of y written, if one of them is not a position.
template <class U>
bool gather_elements(const U* x, index_t extent, const index_t* at, U* y, index_t n) {
    constexpr index_t some = gathered_at_once<U>;
    index_t t = 0;
    for (; t + some <= n; t += some)
        if (!gather_some(x, at + t, extent, y + t)) return false;
    if (!are_positions(at + t, n - t, extent)) return false;
    for (; t < n; ++t) y[t] = x[at[t]];
    return true;
}
/// The elements of y become those of x, or the other way round; U has the size of an element.
template <class U, bool ToX>
void move_rows(const row_moves& moves) {
    const row_moves m = moves;  // a copy: what a store could change would be read anew in every step
    U* const x = reinterpret_cast<U*>(m.x);
    U* const y = reinterpret_cast<U*>(m.y);
    const auto each = [&](const auto& y_offset) RICCI_INLINE_LAMBDA {
        if (m.length > 1) {
            const auto bytes = static_cast<std::size_t>(m.length) * sizeof(U);
            for (index_t t = 0; t < m.n; ++t) {
                std::byte *const at = byte_pointer(x + m.x_at[t]), *const beside = byte_pointer(y + y_offset(t));
                copy_bytes(ToX ? at : beside, ToX ? beside : at, bytes);
            }
        } else {
            for (index_t t = 0; t < m.n; ++t) {
                U* at = x + m.x_at[t];
                RICCI_KEEP_SCALAR(at);  // no gather, where it is slow
                U* const beside = y + y_offset(t);
                std::memcpy(ToX ? at : beside, ToX ? beside : at, sizeof(U));
            }
        }
    };
    m.with_offsets(each);
}
/// Joins n elements to others, which lie apart from them.
template <class Combine, class T>
RICCI_INLINE void combine_elements(T* x, const T* y, index_t n) {
    index_t i = 0;
    if constexpr (simd_supported<T>)
        for (; i + simd<T>::lanes <= n; i += simd<T>::lanes)
            Combine::join(simd<T>::load(x + i), simd<T>::load(y + i)).store(x + i);
    for (; i < n; ++i) x[i] = Combine::join(x[i], y[i]);
}
/// The elements of y are joined to those of x, one row after the other.
template <class Combine, class T>
void combine_rows(const row_moves& moves) {
    const row_moves m = moves;  // as in move_rows
    T* const x = reinterpret_cast<T*>(m.x);
    const T* const y = reinterpret_cast<const T*>(m.y);
    const auto each = [&](const auto& y_offset) RICCI_INLINE_LAMBDA {
        if (m.length > 1) {
            for (index_t t = 0; t < m.n; ++t) combine_elements<Combine>(x + m.x_at[t], y + y_offset(t), m.length);
        } else {
            const auto join = [&](index_t t) RICCI_INLINE_LAMBDA {
                T& to = x[m.x_at[t]];
                to = Combine::join(to, y[y_offset(t)]);
            };
            index_t t = 0;
            for (; t + 4 <= m.n; t += 4) join(t), join(t + 1), join(t + 2), join(t + 3);
            for (; t < m.n; ++t) join(t);
        }
    };
    m.with_offsets(each);
}
/// Something of the size of an element, which is all that moving one needs to know.
template <std::size_t Size>
struct item_of {
    using type = std::array<std::uint64_t, Size / 8>;
};
template <>
struct item_of<1> {
    using type = std::uint8_t;
};
template <>
struct item_of<2> {
    using type = std::uint16_t;
};
template <>
struct item_of<4> {
    using type = std::uint32_t;
};
template <>
struct item_of<8> {
    using type = std::uint64_t;
};
/// gather_elements of such things.
using gather_function = bool (*)(const std::byte* x, index_t extent, const index_t* at, std::byte* y, index_t n);
template <class U>
bool gather_items(const std::byte* x, index_t extent, const index_t* at, std::byte* y, index_t n) {
    return gather_elements(reinterpret_cast<const U*>(x), extent, at, reinterpret_cast<U*>(y), n);
}
inline gather_function gatherer_of(std::size_t item) {
    return item == 4 ? gather_items<item_of<4>::type> : item == 8 ? gather_items<item_of<8>::type> : nullptr;
}
/// The common case without a loop's preparations: n rows of `length` elements of a dense array, which one dense list of
/// positions names, become those of another one. False, and nothing done, where one of them is not a position.
template <class U>
bool gather_dense(const U* x, index_t extent, const index_t* at, index_t n, U* y, index_t length) {
    if (!are_positions(at, n, extent)) return false;  // before anything is written: y may have a name
    if (length == 1) return gather_elements(x, extent, at, y, n);
    const auto bytes = static_cast<std::size_t>(length) * sizeof(U);
    for (index_t t = 0; t < n; ++t) copy_bytes(byte_pointer(y + t * length), byte_pointer(x + at[t] * length), bytes);
    return true;
}
}  // namespace RICCI_ISA

/// What one dense list of few positions selects of a dense array, for which a loop's preparations would take longer.
/// False, and nothing done, where it is not that.
template <class Spec, class X, class Y, class... I>
RICCI_INLINE bool gather_few(const Spec& spec, const X& x, const Y& y, const I&... index) {
    constexpr bool simple = Spec::arrays == 1 && Spec::batch_rank == 0 && Spec::index_rank == 1 &&
                            (std::is_same_v<typename I::value_type, index_t> && ...);
    if constexpr (!simple) {
        return false;
    } else {
        using U = typename item_of<sizeof(typename X::value_type)>::type;
        const index_t n = (0 + ... + index.size());
        if (spec.at != 0 || n == 0 || n > 1024 || y.size() > most_flat) return false;
        if (!((x.is_contiguous() && y.is_contiguous()) && ... && index.is_contiguous())) return false;
        return (gather_dense(reinterpret_cast<const U*>(x.data()), x.shape()[0], index.data(), n,
                             reinterpret_cast<U*>(y.data()), y.size() / n) &&
                ...);
    }
}

}  // namespace ricci::detail
