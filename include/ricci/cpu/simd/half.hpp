// Registers of floats from and to memory that holds 16 bits of each: float16 and bfloat16.
#pragma once
#include "../../core/half.hpp"
#include "../simd.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// What would come back from memory that holds H.
template <class H>
RICCI_INLINE simd<float> rounded_lanes(simd<float> x);

#if defined(RICCI_HAS_SIMD)
using float_lanes = simd<float>;

#if defined(__CUDACC__)  // nvcc's front end crashes on the vectors below
template <class H>
RICCI_INLINE float_lanes load_half_lanes(const H* p) {
    float x[float_lanes::lanes];
    for (int i = 0; i < float_lanes::lanes; ++i) x[i] = p[i];
    return float_lanes::load(x);
}
template <class H>
RICCI_INLINE void store_half_lanes(float_lanes x, H* p) {
    float y[float_lanes::lanes];
    x.store(y);
    for (int i = 0; i < float_lanes::lanes; ++i) p[i] = y[i];
}
#else
typedef std::uint16_t half_bits __attribute__((vector_size(2 * float_lanes::lanes)));

/// A bitwise choice by a comparison's lanes of 0 and -1.
template <class M>
RICCI_INLINE float_lanes::naturals choose(M mask, float_lanes::naturals a, float_lanes::naturals b) {
    const auto m = (float_lanes::naturals)mask;
    return (m & a) | (~m & b);
}

// The same steps as for one number (core/half.hpp), where there is no instruction.
RICCI_INLINE float_lanes widened(half_bits bits, float16) {
#if defined(__AVX512F__)  // of the masked forms g++ 12 does not say that they read what is undefined
    if constexpr (float_lanes::lanes == 16)
        return float_lanes::from_native((float_lanes::native)_mm512_maskz_cvtph_ps(0xffff, (__m256i)bits));
#elif defined(__F16C__)
    if constexpr (float_lanes::lanes == 8)
        return float_lanes::from_native((float_lanes::native)_mm256_cvtph_ps((__m128i)bits));
#endif
    using naturals = float_lanes::naturals;
    const auto wide = __builtin_convertvector(bits, naturals);
    const naturals magnitude = (wide & 0x7fffu) << 13, sign = (wide & 0x8000u) << 16;
    const naturals special = magnitude | 0x7f800000u | ((naturals)(magnitude > 0x0f800000u) & 0x400000u);
    const naturals subnormal = (float_lanes::from_bits(magnitude | 0x38800000u) - float_lanes(0x1p-14f)).bits();
    const naturals value = choose(magnitude < 0x00800000u, subnormal, magnitude + 0x38000000u);
    return float_lanes::from_bits(sign | choose(magnitude >= 0x0f800000u, special, value));
}
RICCI_INLINE half_bits narrowed(float_lanes x, float16) {
#if defined(__AVX512F__)
    if constexpr (float_lanes::lanes == 16)
        return (half_bits)_mm512_maskz_cvtps_ph(0xffff, (__m512)x.raw(), _MM_FROUND_TO_NEAREST_INT);
#elif defined(__F16C__)
    if constexpr (float_lanes::lanes == 8)
        return (half_bits)_mm256_cvtps_ph((__m256)x.raw(), _MM_FROUND_TO_NEAREST_INT);
#endif
    using naturals = float_lanes::naturals;
    const naturals bits = x.bits(), magnitude = bits & 0x7fffffffu, sign = (bits >> 16) & 0x8000u;
    const naturals small = (float_lanes::from_bits(magnitude) + float_lanes(0.5f)).bits() - 0x3f000000u;
    const naturals usual = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    const naturals nan = ((magnitude >> 13) & 0x3ffu) | 0x7e00u, infinity = naturals{} + 0x7c00u;
    naturals half = choose(magnitude < 0x38800000u, small, usual);
    half = choose(magnitude >= 0x477ff000u, infinity, half);
    half = choose(magnitude > 0x7f800000u, nan, half);
    return __builtin_convertvector(half | sign, half_bits);
}
RICCI_INLINE float_lanes widened(half_bits bits, bfloat16) {
#if defined(__AVX512F__)
    if constexpr (float_lanes::lanes == 16)
        return float_lanes::from_native((float_lanes::native)_mm512_maskz_slli_epi32(
            0xffff, _mm512_maskz_cvtepu16_epi32(0xffff, (__m256i)bits), 16));
#endif
    return float_lanes::from_bits(__builtin_convertvector(bits, float_lanes::naturals) << 16);
}
RICCI_INLINE half_bits narrowed(float_lanes x, bfloat16) {
#if defined(__AVX512BF16__)  // takes what is subnormal for 0: with such numbers it goes the other way
    if constexpr (float_lanes::lanes == 16) {
        const auto bits = (__m512i)x.bits();
        const __mmask16 small = _mm512_testn_epi32_mask(bits, _mm512_set1_epi32(0x7f800000));
        if (_mm512_mask_test_epi32_mask(small, bits, _mm512_set1_epi32(0x7fffff)) == 0) [[likely]] {
            half_bits half;  // by name: the header of the intrinsic function is a long one
            asm("vcvtneps2bf16 {%1, %0|%0, %1}" : "=v"(half) : "v"(x.raw()));
            return half;
        }
    }
#endif
    using naturals = float_lanes::naturals;
    const naturals bits = x.bits(), usual = bits + 0x7fffu + ((bits >> 16) & 1u);
    const naturals half = choose((bits & 0x7fffffffu) > 0x7f800000u, bits | 0x400000u, usual) >> 16;
    return __builtin_convertvector(half, half_bits);
}

template <class H>
RICCI_INLINE float_lanes load_half_lanes(const H* p) {
    half_bits bits;
    __builtin_memcpy(&bits, p, sizeof bits);
    return widened(bits, H{});
}
template <class H>
RICCI_INLINE void store_half_lanes(float_lanes x, H* p) {
    const half_bits bits = narrowed(x, H{});
    __builtin_memcpy(p, &bits, sizeof bits);
}
#endif
template <class H>
RICCI_INLINE float_lanes rounded_lanes(float_lanes x) {
    H stored[float_lanes::lanes];
    store_half_lanes(x, stored);
    return load_half_lanes(stored);
}

#endif

// ---- Stretches of memory -------------------------------------------------------------------------------------------

template <class H>
void widen_row(const H* from, index_t n, float* to) {
    index_t i = 0;
#if defined(RICCI_HAS_SIMD)
    for (; i + float_lanes::lanes <= n; i += float_lanes::lanes) load_half_lanes(from + i).store(to + i);
#endif
    for (; i < n; ++i) to[i] = from[i];
}
template <class H>
void widen_line(const H* from, index_t step, index_t n, float* to) {
    if (step == 1) return widen_row(from, n, to);
    for (index_t i = 0; i < n; ++i) to[i] = from[i * step];
}
template <class H>
void round_row(const float* from, index_t n, H* to) {
    index_t i = 0;
#if defined(RICCI_HAS_SIMD)
    for (; i + float_lanes::lanes <= n; i += float_lanes::lanes) store_half_lanes(float_lanes::load(from + i), to + i);
#endif
    for (; i < n; ++i) to[i] = H(from[i]);
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
