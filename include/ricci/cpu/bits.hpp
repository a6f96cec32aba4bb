// Truth values as the bits of bytes, and back.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "simd/native.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// The bits of each of eight bytes in opposite order.
RICCI_INLINE std::uint64_t reversed_bits(std::uint64_t x) {
    x = ((x >> 1) & 0x5555555555555555u) | ((x & 0x5555555555555555u) << 1);
    x = ((x >> 2) & 0x3333333333333333u) | ((x & 0x3333333333333333u) << 2);
    return ((x >> 4) & 0x0f0f0f0f0f0f0f0fu) | ((x & 0x0f0f0f0f0f0f0f0fu) << 4);
}
/// Which of 64 bytes, each 0 or 1, are 1, the first in the lowest bit.
RICCI_INLINE std::uint64_t bits_of_truths(const std::uint8_t* p) {
#if defined(RICCI_HAS_SIMD) && defined(__AVX512BW__)
    const __m512i x = _mm512_loadu_si512(p);
    return _mm512_test_epi8_mask(x, x);
#else
    std::uint64_t bits = 0;
#if defined(RICCI_HAS_SIMD) && defined(__SSE2__)
    for (int i = 0; i < 64; i += 16) {
        const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
        bits |= std::uint64_t(static_cast<std::uint16_t>(_mm_movemask_epi8(_mm_slli_epi16(x, 7)))) << i;
    }
#else
    for (int i = 0; i < 64; ++i) bits |= std::uint64_t(p[i]) << i;
#endif
    return bits;
#endif
}

/// n bytes, each 0 or 1, eight to one of `out`, whose bits are counted from the highest or the lowest; what is left of
/// the last is 0.
inline void pack_bits(const std::uint8_t* p, index_t n, std::uint8_t* out, bool from_highest) {
    for (index_t i = 0; i < n; i += 64) {
        std::uint64_t bits;
        if (n - i >= 64) {
            bits = bits_of_truths(p + i);
        } else {
            std::uint8_t rest[64] = {};
            std::memcpy(rest, p + i, static_cast<std::size_t>(n - i));
            bits = bits_of_truths(rest);
        }
        if (from_highest) bits = reversed_bits(bits);
        if constexpr (std::endian::native == std::endian::big) bits = __builtin_bswap64(bits);
        if (n - i >= 64) std::memcpy(out + i / 8, &bits, 8);
        else std::memcpy(out + i / 8, &bits, static_cast<std::size_t>((n - i + 7) / 8));
    }
}

/// The bits of each byte as bytes, from the highest or the lowest.
template <bool FromHighest>
inline constexpr auto bits_of_bytes = [] {
    std::array<std::array<std::uint8_t, 8>, 256> t{};
    for (unsigned b = 0; b < 256; ++b)
        for (unsigned i = 0; i < 8; ++i) t[b][i] = (b >> (FromHighest ? 7 - i : i)) & 1;
    return t;
}();
/// The first n bits of bytes, one to a byte. A template, so that only units that unpack bits compute the tables, which
/// g++ is slow at.
template <bool FromHighest>
void unpack_bits(const std::uint8_t* p, index_t n, std::uint8_t* out) {
    const auto& table = bits_of_bytes<FromHighest>;
    const index_t whole = n / 8, rest = n % 8;
    for (index_t i = 0; i < whole; ++i) std::memcpy(out + 8 * i, table[p[i]].data(), 8);
    if (rest > 0) std::memcpy(out + 8 * whole, table[p[whole]].data(), static_cast<std::size_t>(rest));
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
