// One value in many places side by side, in stores of a cache line: compilers take an element at a time.
#pragma once
#include <cstdint>
#include <cstring>

#include "../core/shape.hpp"

namespace ricci::detail {

/// `bytes` bytes of a pattern of 64, over and over.
inline void fill_with_pattern(std::byte* out, index_t bytes, const std::byte (&pattern)[64]) {
    struct line {
        std::uint64_t word[8];
    } value;
    std::memcpy(&value, pattern, sizeof value);
    index_t i = 0;
    for (; i + 64 <= bytes; i += 64) std::memcpy(out + i, &value, sizeof value);
    std::memcpy(out + i, pattern, static_cast<std::size_t>(bytes - i));
}
/// Writes a value to n places that are a number of bytes apart.
template <class T>
void fill_apart(std::byte* out, index_t step, index_t n, const T& value) {
    constexpr index_t together = 8;
    index_t i = 0;
    for (; i + together <= n; i += together, out += together * step)
        for (index_t k = 0; k < together; ++k) std::memcpy(out + k * step, &value, sizeof value);
    for (; i < n; ++i, out += step) std::memcpy(out, &value, sizeof value);
}
/// Writes a value to n places side by side. As bytes: T may stand for others of its size.
template <class T>
void fill_row(T* out, index_t n, const T& value) {
    constexpr index_t size = sizeof(T), line = 64;
    if constexpr (line % size == 0) {
        if (n * size >= 3 * line) {
            std::byte pattern[line];
            for (index_t i = 0; i < line; i += size) std::memcpy(pattern + i, &value, sizeof value);
            auto* const at = reinterpret_cast<std::byte*>(out);
            const bool even = std::memcmp(pattern, pattern + 1, line - 1) == 0;
            if (even) std::memset(at, static_cast<int>(pattern[0]), static_cast<std::size_t>(n * size));
            else fill_with_pattern(at, n * size, pattern);
            return;
        }
    }
    for (index_t i = 0; i < n; ++i) std::memcpy(out + i, &value, sizeof value);
}

}  // namespace ricci::detail
