// Blocks of cached memory: their size classes, and lists of them.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#include "config.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define RICCI_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RICCI_ASAN 1
#endif
#endif
#if defined(RICCI_ASAN) && __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#define RICCI_POISON(address, bytes) ASAN_POISON_MEMORY_REGION(address, bytes)
#define RICCI_UNPOISON(address, bytes) ASAN_UNPOISON_MEMORY_REGION(address, bytes)
#else
#define RICCI_POISON(address, bytes) (static_cast<void>(address), static_cast<void>(bytes))
#define RICCI_UNPOISON(address, bytes) (static_cast<void>(address), static_cast<void>(bytes))
#endif

namespace ricci::detail::heap {

// Size classes leave a first cache line aside (for the header that storage puts there) and count the rest: multiples of
// 64 up to 1 KiB, then eight steps a doubling. So a power of two is a class of its own and no class wastes over an
// eighth.
inline constexpr std::size_t block_alignment = 64;
inline constexpr std::size_t largest_small = 65536 + 64;
inline constexpr std::size_t largest_block = (std::size_t(1) << 46) + 64;

constexpr int size_class(std::size_t bytes) {
    if (bytes <= 1024 + 64) return bytes ? static_cast<int>((bytes - 1) / 64) : 0;
    const std::size_t last = bytes - 64 - 1;
    const int width = static_cast<int>(std::bit_width(last));
    return 17 + (width - 11) * 8 + static_cast<int>((last >> (width - 4)) & 7);
}
constexpr std::size_t class_bytes(int c) {
    if (c < 17) return static_cast<std::size_t>(c + 1) * 64;
    return (static_cast<std::size_t>((c - 17) % 8 + 9) << ((c - 17) / 8 + 7)) + 64;
}
inline constexpr int small_classes = size_class(largest_small) + 1;
inline constexpr int all_classes = size_class(largest_block) + 1;

struct small_table {
    std::uint32_t bytes[small_classes];
    constexpr small_table() : bytes{} {
        for (int c = 0; c < small_classes; ++c) bytes[c] = static_cast<std::uint32_t>(class_bytes(c));
    }
};
inline constexpr small_table small_sizes;

// A cached block. The link stands at the end of the header, apart from what handles read first, so that all else can be
// poisoned while the leak checker, which ignores poisoned words, still follows the lists.
struct cached_block {
    // Of the first block of a bundle, which goes from a thread to the shared lists and back whole: to walk a list whose
    // blocks have left the cache is to wait for memory at each of them.
    cached_block* next_bundle;
    std::size_t bundled;  // blocks in it
    unsigned char header[56 - sizeof(cached_block*) - sizeof(std::size_t)];
    cached_block* next;
};
static_assert(sizeof(cached_block) == block_alignment);

RICCI_INLINE void push(cached_block*& list, void* block, std::size_t bytes) {
    auto* b = static_cast<cached_block*>(block);
    RICCI_UNPOISON(&b->next, sizeof b->next);
    b->next = list;
    list = b;
    RICCI_POISON(b, offsetof(cached_block, next));
    RICCI_POISON(b + 1, bytes - sizeof(cached_block));
}
RICCI_INLINE cached_block* pop(cached_block*& list) {
    cached_block* b = list;
    list = b->next;
    __builtin_prefetch(list, 1);  // the next time it will be in the cache: what a long graph has left is beyond it
    return b;
}

}  // namespace ricci::detail::heap
