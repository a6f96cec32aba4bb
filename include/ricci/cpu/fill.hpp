// One value in many places side by side, in stores of a cache line: compilers take an element at a time.
#pragma once
#include <algorithm>
#include <cstring>

#include "thread_pool.hpp"

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
/// Writes a value to n places side by side, large arrays on all threads.
template <class T>
void fill_row(T* out, index_t n, const T& value) {
    constexpr index_t size = sizeof(T), together = (index_t(1) << 18) / size;
    static_assert(64 % size == 0);
    std::byte pattern[64];
    for (index_t i = 0; i < 64; i += size) std::memcpy(pattern + i, &value, sizeof value);
    const bool even = std::memcmp(pattern, pattern + 1, 63) == 0;
    const auto fill = [&](index_t from, index_t count) {
        auto* const at = reinterpret_cast<std::byte*>(out + from);
        if (even) std::memset(at, static_cast<int>(pattern[0]), static_cast<std::size_t>(count * size));
        else fill_with_pattern(at, count * size, pattern);
    };
    if (n <= together) return fill(0, n);
    for_blocks((n + together - 1) / together, together,
               [&](index_t b) { fill(b * together, std::min(together, n - b * together)); });
}

}  // namespace ricci::detail
