// Short rows of bytes: moved from one distance to another, and repeated side by side.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../core/dtype.hpp"

namespace ricci::detail {

/// Bytes behind what is repeated that may be written, too.
inline constexpr index_t repeat_slack = 64;

inline namespace RICCI_ISA {

template <class U, int W>
struct lanes_of {
    typedef U type __attribute__((vector_size(W * sizeof(U))));
    typedef U anywhere __attribute__((vector_size(W * sizeof(U)), aligned(1), may_alias));
    // memcpy of more bytes than the compiler's favourite vectors have goes through the stack in parts
    RICCI_INLINE static void load(const std::byte* from, type& v) { v = *reinterpret_cast<const anywhere*>(from); }
    RICCI_INLINE static void store(const type& v, std::byte* to) { *reinterpret_cast<anywhere*>(to) = v; }
};
/// Bytes of the widest vector whose elements the processor shuffles freely.
#if defined(__AVX512BW__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

/// Rows of W to 2 W bytes: two vectors each, which overlap.
template <int W>
void move_short_rows(std::byte* to, index_t to_step, const std::byte* from, index_t from_step, index_t bytes,
                     index_t rows) {
    if constexpr (W < 4) {
        for (; rows > 0; --rows, to += to_step, from += from_step)
            for (index_t i = 0; i < bytes; ++i) to[i] = from[i];
    } else {
        if (bytes < W) return move_short_rows<W / 2>(to, to_step, from, from_step, bytes, rows);
        using vector = lanes_of<unsigned char, W>;
        for (const index_t rest = bytes - W; rows > 0; --rows, to += to_step, from += from_step) {
            typename vector::type a, b;
            vector::load(from, a);
            vector::load(from + rest, b);
            vector::store(a, to);
            vector::store(b, to + rest);
        }
    }
}
inline void move_rows_of_bytes(std::byte* to, index_t to_step, const std::byte* from, index_t from_step, index_t bytes,
                               index_t rows) {
    if (bytes <= 2 * vector_bytes) return move_short_rows<vector_bytes>(to, to_step, from, from_step, bytes, rows);
    using vector = lanes_of<unsigned char, vector_bytes>;
    for (const index_t rest = bytes - vector_bytes; rows > 0; --rows, to += to_step, from += from_step) {
        typename vector::type a, last;
        vector::load(from + rest, last);
        for (index_t i = 0; i < rest; i += vector_bytes) {
            vector::load(from + i, a);
            vector::store(a, to + i);
        }
        vector::store(last, to + rest);
    }
}
template <class U, int Width>
void repeat_by_vectors(std::byte* to, const std::byte* from, index_t from_step, index_t n, index_t rows) {
    static_assert(Width <= repeat_slack);
    constexpr index_t size = sizeof(U), width = Width / size;
    using vector = lanes_of<U, static_cast<int>(width)>;
    for (; rows > 0; --rows, to += n * size, from += from_step) {
        U value;
        std::memcpy(&value, from, sizeof(U));
        const typename vector::type v = value - typename vector::type{};
        for (index_t i = 0; i < n; i += width)
            vector::store(v, to + i * size);  // in order: the next row is not there yet
    }
}
template <class U>
void repeat_rows(std::byte* to, const std::byte* from, index_t from_step, index_t n, index_t rows) {
    constexpr index_t size = sizeof(U);
    if constexpr (std::is_integral_v<U>) {
        // short vectors seldom go across cache lines
        if (n * size <= 16) return repeat_by_vectors<U, 16>(to, from, from_step, n, rows);
        return repeat_by_vectors<U, vector_bytes>(to, from, from_step, n, rows);
    } else {
        for (; rows > 0; --rows, to += n * size, from += from_step)
            for (index_t i = 0; i < n; ++i) std::memcpy(to + i * size, from, sizeof(U));
    }
}
/// Blocks of W to 2 W bytes, each so many times: as `move_short_rows`.
template <int W>
void repeat_short_blocks(std::byte* to, const std::byte* from, index_t from_step, index_t bytes, index_t times,
                         index_t rows) {
    if constexpr (W < 2) {
        return repeat_rows<std::int8_t>(to, from, from_step, times, rows);
    } else {
        if (bytes < W) return repeat_short_blocks<W / 2>(to, from, from_step, bytes, times, rows);
        if constexpr (W <= 8)
            if (bytes == W) return repeat_rows<typename signed_of_size<W>::type>(to, from, from_step, times, rows);
        using vector = lanes_of<unsigned char, W>;
        for (const index_t rest = bytes - W; rows > 0; --rows, from += from_step) {
            typename vector::type a, b;
            vector::load(from, a);
            vector::load(from + rest, b);
            for (index_t n = times; n > 0; --n, to += bytes) {
                vector::store(a, to);
                if (rest > 0) vector::store(b, to + rest);
            }
        }
    }
}
inline void repeat_blocks_of_bytes(std::byte* to, const std::byte* from, index_t from_step, index_t bytes,
                                   index_t times, index_t rows) {
    if (bytes <= 2 * vector_bytes) return repeat_short_blocks<vector_bytes>(to, from, from_step, bytes, times, rows);
    using vector = lanes_of<unsigned char, vector_bytes>;
    for (; rows > 0; --rows, from += from_step)
        for (index_t n = times; n > 0; --n, to += bytes)
            for (index_t i = 0;; i = std::min(i + vector_bytes, bytes - vector_bytes)) {
                typename vector::type a;
                vector::load(from + i, a);
                vector::store(a, to + i);
                if (i == bytes - vector_bytes) break;
            }
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
