// Truth values on the CPU: how many are true, where they are, and the elements beside them packed together.
#pragma once
#include <array>
#include <cstring>

#include "../core/intrinsics.hpp"
#include "bind.hpp"

namespace ricci::detail {

inline namespace RICCI_ISA {
/// The true ones of n truth values, which are bytes 0 and 1.
inline index_t count_true(const bool* mask, index_t n) {
#if defined(__AVX2__)
    constexpr index_t width = 32;
#else
    constexpr index_t width = 16;
#endif
    constexpr index_t most = 255;  // what a byte can count
    using bytes_of_register = lanes_of<std::uint8_t, width>;
    const auto* bytes = reinterpret_cast<const unsigned char*>(mask);
    index_t total = 0, i = 0;
    while (i + width <= n) {
        typename bytes_of_register::type counts{}, v;
        const index_t end = n - i > most * width ? i + most * width : n;
        for (; i + width <= end; i += width) {
            bytes_of_register::load(byte_pointer(bytes + i), v);
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
/// Registers of elements of so many bytes, and the parts of them that are chosen; nothing where there is no instruction
/// to pack these side by side. They are packed before they are stored: into memory that takes some processors ten times
/// as long.
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
#elif defined(__AVX2__) && !defined(__AVX512F__) && !defined(RICCI_NO_SIMD)
/// In byte k of entry `some`: which of the eight words of a register is the k-th of those that the bits of `some`
/// choose, one bit for an element.
template <std::size_t Item>
inline constexpr auto packing_order = [] {
    constexpr unsigned lanes = 32 / Item, words = Item / 4;
    std::array<std::uint64_t, 1u << lanes> order{};
    for (unsigned some = 0; some < order.size(); ++some)
        for (unsigned word = 0, k = 0; word < 8; ++word)
            if (some >> (word / words) & 1) order[some] |= std::uint64_t(word) << (8 * k++);
    return order;
}();
template <std::size_t Item>
struct chosen_words {
    static constexpr index_t lanes = 32 / Item;
    using mask = std::uint8_t;
    static constexpr mask all = (1u << lanes) - 1;
    static RICCI_INLINE mask first(index_t count) {
        return count >= lanes ? all : static_cast<mask>((1u << count) - 1);
    }
    static RICCI_INLINE mask chosen(const bool* m) {
        alignas(8) bool truths[8] = {};
        std::memcpy(truths, m, lanes);
        const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(truths));
        return static_cast<mask>(_mm_movemask_epi8(_mm_slli_epi64(bytes, 7)));
    }
    static RICCI_INLINE mask chosen(const bool* m, mask some) {
        bool truths[8] = {};
        std::memcpy(truths, m, static_cast<std::size_t>(__builtin_popcount(some)));
        return chosen(truths);
    }
    static RICCI_INLINE __m256i pack(const void* x, mask some) {
        return packed(_mm256_maskload_epi32(static_cast<const int*>(x), words_of(some)), some);
    }
    static RICCI_INLINE __m256i pack_all(const void* x, mask some) {
        return packed(_mm256_loadu_si256(static_cast<const __m256i*>(x)), some);
    }
    static RICCI_INLINE void store(void* y, mask some, __m256i v) {
        _mm256_maskstore_epi32(static_cast<int*>(y), words_of(some), v);
    }
    static RICCI_INLINE void store_all(void* y, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(y), v); }

   private:
    static RICCI_INLINE __m256i packed(__m256i v, mask some) {
        const __m128i order = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&packing_order<Item>[some]));
        return _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(order));
    }
    static RICCI_INLINE __m256i words_of(mask some) {
        const __m256i bit =
            Item == 4 ? _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128) : _mm256_setr_epi32(1, 1, 2, 2, 4, 4, 8, 8);
        return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(some), bit), bit);
    }
};
template <>
struct compressor<4> : chosen_words<4> {};
template <>
struct compressor<8> : chosen_words<8> {};
template <>
inline constexpr bool has_compressor<4> = true;
template <>
inline constexpr bool has_compressor<8> = true;
#endif

/// Truths that are looked at together: where few are true, most groups have none.
inline constexpr index_t truth_group = 64;
RICCI_INLINE bool none_true(const bool* mask) {
    const auto eight = [mask](int i) RICCI_INLINE_LAMBDA {
        std::uint64_t truths;
        std::memcpy(&truths, mask + 8 * i, 8);
        return truths;
    };
    return (eight(0) | eight(1) | eight(2) | eight(3) | eight(4) | eight(5) | eight(6) | eight(7)) == 0;
}
template <class U>
index_t compress_registers(const U* x, const bool* mask, index_t n, U* y, index_t room) {
    using registers = compressor<sizeof(U)>;
    constexpr index_t lanes = registers::lanes;
    index_t i = 0, k = 0;
    const auto put = [&](auto some, auto packed) RICCI_INLINE_LAMBDA {
        if (k + lanes <= room) registers::store_all(y + k, packed);  // the next one follows inside it
        else registers::store(y + k, registers::first(room - k), packed);
        k += __builtin_popcount(some);
    };
    const auto put_until = [&](index_t end) RICCI_INLINE_LAMBDA {
        for (; i + lanes <= end; i += lanes) {
            const auto some = registers::chosen(mask + i);
            put(some, registers::pack_all(x + i, some));
        }
    };
    while (i + truth_group <= n && k < room)
        if (none_true(mask + i)) i += truth_group;
        else put_until(i + truth_group);
    if (k == room) return k;
    put_until(n);
    if (i < n) {
        const auto some = registers::chosen(mask + i, registers::first(n - i));
        put(some, registers::pack(x + i, some));
    }
    return k;
}

/// The elements of x where the mask is true, one after the other, and how many they are; y has room for `room` of them
/// or more. U has the size of an element.
template <class U>
index_t compress_elements(const U* x, const bool* mask, index_t n, U* y, index_t room) {
    if constexpr (has_compressor<sizeof(U)>) return compress_registers(x, mask, n, y, room);
    index_t k = 0;
    for (index_t i = 0; i < n && k < room;) {
        if (i + truth_group <= n && none_true(mask + i)) {
            i += truth_group;
            continue;
        }
        const index_t end = n - i < truth_group ? n : i + truth_group;
        for (; i < end && k < room; ++i) {  // branch-free: a false one is overwritten by the next
            std::memcpy(y + k, x + i, sizeof(U));
            k += mask[i];
        }
    }
    return k;
}
/// The other way: the `count` elements of y, one after the other, to those of x where the mask, which has as many, is
/// true.
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

/// The n elements of x where a kernel is true, one after the other, and how many they are; y has room for all. Block by
/// block, so that no mask is ever in memory. The kernel's inputs are at `at`; they move by `step` elements
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

/// Where a mask is true: row d of `to`, of `selected` elements, has the positions along axis d, in row-major order of
/// the mask.
inline void find_true(const operand_ref& mask, index_t* to, index_t selected) {
    constexpr index_t block = 512;
    const int last = mask.rank - 1;
    const index_t length = mask.extent[last], step = mask.stride[last];
    index_t at[max_loop_rank] = {};
    const bool* row = reinterpret_cast<const bool*>(mask.data);
    index_t* const positions = to + last * selected;
    index_t numbers[block];
    for (index_t i = 0; i < block && i < length; ++i) numbers[i] = i;
    for (index_t k = 0; k < selected;) {
        const index_t first = k;
        if (step == 1)
            for (index_t i = 0; i < length && k < selected; i += block) {
                const index_t n = length - i < block ? length - i : block;
                const index_t found = compress_elements(numbers, row + i, n, positions + k, selected - k);
                for (index_t j = k; j < k + found; ++j) positions[j] += i;
                k += found;
            }
        else
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

}  // namespace RICCI_ISA
}  // namespace ricci::detail
