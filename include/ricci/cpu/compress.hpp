// Truth values on the CPU: how many are true, where they are, and the elements beside them packed together.
#pragma once
#include <array>
#include <cstring>

#include "bind.hpp"
#if defined(__AVX512F__) && !defined(RICCI_NO_SIMD)
#include <immintrin.h>
#endif

namespace ricci::detail {

/// The true ones of n truth values, which are bytes 0 and 1.
inline index_t count_true(const bool* mask, index_t n) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(mask);
    index_t total = 0, i = 0;
    for (; i + 8 <= n; i += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, bytes + i, 8);
        total += static_cast<index_t>((eight * 0x0101010101010101u) >> 56);
    }
    for (; i < n; ++i) total += bytes[i];
    return total;
}

/// The elements of x where the mask is true, one after the other; y has room for just those. U has the size of an element.
template <class U>
void compress_elements(const U* x, const bool* mask, [[maybe_unused]] index_t n, U* y, index_t selected) {
    index_t i = 0, k = 0;
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && !defined(RICCI_NO_SIMD)
    if constexpr (sizeof(U) == 4 || sizeof(U) == 8) {
        constexpr index_t lanes = 64 / sizeof(U);
        for (; i + lanes <= n && k + lanes <= selected;
             i += lanes) {  // a whole register is stored, the next one follows inside it
            const __m512i v = _mm512_loadu_si512(x + i);
            if constexpr (sizeof(U) == 4) {
                const __m128i m = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask + i));
                const __mmask16 chosen = _mm_test_epi8_mask(m, m);
                _mm512_storeu_si512(y + k, _mm512_maskz_compress_epi32(chosen, v));
                k += __builtin_popcount(chosen);
            } else {
                const __m128i m = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(mask + i));
                const auto chosen = static_cast<__mmask8>(_mm_test_epi8_mask(m, m));
                _mm512_storeu_si512(y + k, _mm512_maskz_compress_epi64(chosen, v));
                k += __builtin_popcount(chosen);
            }
        }
    }
#endif
    for (; k < selected; ++i) {  // branch-free: a false one is overwritten by the next
        std::memcpy(y + k, x + i, sizeof(U));
        k += mask[i];
    }
}
inline void compress_bytes(std::size_t item, const std::byte* x, const bool* mask, index_t n, std::byte* y,
                           index_t selected) {
    const auto as = [&](auto element) {
        using U = decltype(element);
        compress_elements(reinterpret_cast<const U*>(x), mask, n, reinterpret_cast<U*>(y), selected);
    };
    switch (item) {
        case 1:
            return as(std::uint8_t());
        case 2:
            return as(std::uint16_t());
        case 4:
            return as(std::uint32_t());
        case 8:
            return as(std::uint64_t());
        case 16:
            return as(std::array<std::uint64_t, 2>());
        default:
            return as(std::array<std::uint64_t, 4>());
    }
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
