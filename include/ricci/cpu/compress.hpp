// Truth values on the CPU: how many are true, where they are, and the elements beside them packed together.
#pragma once
#include <cstring>

#include "../core/intrinsics.hpp"
#include "bind.hpp"

namespace ricci::detail {

inline namespace RICCI_ISA {
/// The true ones of n truth values, which are bytes 0 and 1.
inline index_t count_true(const bool* mask, index_t n) {
    constexpr index_t width = 64, most = 255;  // what a byte can count
    using V = typename lanes_of<std::uint8_t, width>::type;
    const auto* bytes = reinterpret_cast<const unsigned char*>(mask);
    index_t total = 0, i = 0;
    while (i + width <= n) {
        V counts{};
        const index_t end = n - i > most * width ? i + most * width : n;
        for (; i + width <= end; i += width) {
            V v;
            std::memcpy(&v, bytes + i, sizeof v);
            counts += v;
        }
        std::uint64_t eight[width / 8];
        std::memcpy(eight, &counts, sizeof eight);
        for (const std::uint64_t e : eight) {  // four sums of two bytes, then all of them
            const std::uint64_t pairs = (e & 0x00ff00ff00ff00ffu) + (e >> 8 & 0x00ff00ff00ff00ffu);
            total += static_cast<index_t>((pairs * 0x0001000100010001u) >> 48);
        }
    }
    for (; i + 8 <= n; i += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, bytes + i, 8);
        total += static_cast<index_t>((eight * 0x0101010101010101u) >> 56);
    }
    for (; i < n; ++i) total += bytes[i];
    return total;
}
/// Registers of elements of so many bytes, and the parts of them that are chosen; nothing where there is no instruction to pack
/// these side by side. They are packed before they are stored: into memory that takes some processors ten times as long.
template <std::size_t Item>
struct compressor;
template <std::size_t Item>
inline constexpr bool has_compressor = false;
#if defined(__AVX512F__) && defined(__AVX512BW__) && !defined(RICCI_NO_SIMD)
template <class Mask>
struct chosen_lanes {
    static constexpr index_t lanes = 8 * sizeof(Mask);
    static constexpr Mask all = static_cast<Mask>(-1);
    using mask = Mask;
    static RICCI_INLINE Mask first(index_t count) {
        return count >= lanes ? all : static_cast<Mask>((1u << count) - 1);
    }
    static RICCI_INLINE Mask chosen(const bool* m) {
        const auto* const bytes = reinterpret_cast<const __m128i*>(m);
        return static_cast<Mask>(mask_of_bytes(lanes == 16 ? _mm_loadu_si128(bytes) : _mm_loadl_epi64(bytes)));
    }
    static RICCI_INLINE Mask chosen(const bool* m, Mask some) {
        const __m512i v = _mm512_maskz_loadu_epi8(some, m);
        return static_cast<Mask>(_mm512_test_epi8_mask(v, v));
    }
    static RICCI_INLINE void store_all(void* y, __m512i v) { _mm512_storeu_si512(y, v); }
};
template <>
struct compressor<4> : chosen_lanes<__mmask16> {
    static RICCI_INLINE __m512i pack(const void* x, mask some) {
        return _mm512_maskz_compress_epi32(some, _mm512_maskz_loadu_epi32(some, x));
    }
    static RICCI_INLINE __m512i pack_all(const void* x, mask some) {
        return _mm512_maskz_compress_epi32(some, _mm512_loadu_si512(x));
    }
    static RICCI_INLINE void store(void* y, mask some, __m512i v) { _mm512_mask_storeu_epi32(y, some, v); }
};
template <>
struct compressor<8> : chosen_lanes<__mmask8> {
    static RICCI_INLINE __m512i pack(const void* x, mask some) {
        return _mm512_maskz_compress_epi64(some, _mm512_maskz_loadu_epi64(some, x));
    }
    static RICCI_INLINE __m512i pack_all(const void* x, mask some) {
        return _mm512_maskz_compress_epi64(some, _mm512_loadu_si512(x));
    }
    static RICCI_INLINE void store(void* y, mask some, __m512i v) { _mm512_mask_storeu_epi64(y, some, v); }
};
template <>
inline constexpr bool has_compressor<4> = true;
template <>
inline constexpr bool has_compressor<8> = true;
template <class U>
index_t compress_registers(const U* x, const bool* mask, index_t n, U* y, index_t room) {
    using registers = compressor<sizeof(U)>;
    constexpr index_t lanes = registers::lanes;
    const auto first = [](index_t count) RICCI_INLINE_LAMBDA { return registers::first(count); };
    index_t i = 0, k = 0;
    for (; i + lanes <= n && k + lanes <= room; i += lanes) {  // whole registers: the next one follows inside it
        const auto chosen = registers::chosen(mask + i);
        registers::store_all(y + k, registers::pack_all(x + i, chosen));
        k += __builtin_popcount(chosen);
    }
    for (; i < n && k < room; i += lanes) {
        const auto chosen = registers::chosen(mask + i, first(n - i));
        registers::store(y + k, first(room - k), registers::pack(x + i, chosen));
        k += __builtin_popcount(chosen);
    }
    return k;
}
#endif

/// The elements of x where the mask is true, one after the other, and how many they are; y has room for `room` of them or more.
/// U has the size of an element.
template <class U>
index_t compress_elements(const U* x, const bool* mask, [[maybe_unused]] index_t n, U* y, index_t room) {
#if defined(__AVX512F__) && defined(__AVX512BW__) && !defined(RICCI_NO_SIMD)
    if constexpr (has_compressor<sizeof(U)>) return compress_registers(x, mask, n, y, room);
#endif
    index_t k = 0;
    for (index_t i = 0; i < n && k < room; ++i) {  // branch-free: a false one is overwritten by the next
        std::memcpy(y + k, x + i, sizeof(U));
        k += mask[i];
    }
    return k;
}
/// The other way: the `count` elements of y, one after the other, to those of x where the mask, which has as many, is true.
template <class U>
void spread_elements(const U* y, index_t count, const bool* mask, U* x) {
    index_t i = 0, k = 0;
    for (; k + 8 <= count; i += 8) {  // eight true ones or more are to come, so eight elements as well
        std::uint64_t eight;
        std::memcpy(&eight, mask + i, 8);
        if (eight == 0) continue;
        if (eight == 0x0101010101010101u) {
            std::memcpy(x + i, y + k, 8 * sizeof(U));
            k += 8;
            continue;
        }
        for (int j = 0; j < 8; ++j) {  // by arithmetic: compilers make a branch of ?:, which random masks mispredict
            const auto chosen = static_cast<std::uintptr_t>(mask[i + j]);
            const auto own = reinterpret_cast<std::uintptr_t>(x + i + j),
                       other = reinterpret_cast<std::uintptr_t>(y + k);
            U e;
            std::memcpy(&e, reinterpret_cast<const U*>(own + ((other - own) & (0 - chosen))), sizeof(U));
            std::memcpy(x + i + j, &e, sizeof(U));
            k += mask[i + j];
        }
    }
    for (; k < count; ++i)
        if (mask[i]) std::memcpy(x + i, y + k++, sizeof(U));
}

}  // namespace RICCI_ISA

/// The n elements of x where a kernel is true, one after the other, and how many they are; y has room for all. Block by block, so
/// that no mask is ever in memory. The kernel's inputs are at `at`; they move by `step` elements
/// of `size` bytes, its output by the step behind theirs.
template <class U>
RICCI_NOINLINE index_t compress_where(const row_kernel& kernel, std::byte** at, const index_t* step,
                                      const index_t* size, const U* x, index_t n, U* y) {
    constexpr index_t block = 2048;
    alignas(64) bool chosen[block];
    const int inputs = kernel.inputs;
    const output_mode mode[] = {output_mode::store};
    std::byte* const out[] = {byte_pointer(chosen)};
    index_t count = 0;
    for (index_t i = 0; i < n; i += block) {
        const index_t m = n - i < block ? n - i : block;
        kernel.run(kernel.function, row_args{m, at, step, out, step + inputs, mode, kernel.merge});
        for (int o = 0; o < inputs; ++o) at[o] += m * step[o] * size[o];
        count += compress_elements(x + i, chosen, m, y + count, n - count);
    }
    return count;
}

/// Where a mask is true: row d of `to`, of `selected` elements, has the positions along axis d, in row-major order of the mask.
inline void find_true(const operand_ref& mask, index_t* to, index_t selected) {
    const int last = mask.rank - 1;
    const index_t length = mask.extent[last], step = mask.stride[last];
    index_t at[max_loop_rank] = {};
    const bool* row = reinterpret_cast<const bool*>(mask.data);
    index_t* const positions = to + last * selected;
    for (index_t k = 0; k < selected;) {
        const index_t first = k;
        for (index_t i = 0; i < length && k < selected; ++i) {
            positions[k] = i;
            k += row[i * step];
        }
        for (int d = 0; d < last; ++d)
            for (index_t j = first; j < k; ++j) to[d * selected + j] = at[d];
        for (int d = last - 1; d >= 0; --d) {
            row += mask.stride[d];
            if (++at[d] < mask.extent[d]) break;
            row -= mask.stride[d] * mask.extent[d];
            at[d] = 0;
        }
    }
}

}  // namespace ricci::detail
