// The processor's instructions, as the compiler names them.
#pragma once
#include "config.hpp"

#if defined(__SSE2__) && !defined(RICCI_NO_SIMD)
#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 takes the undefined registers of its own header for mistakes, and warns of them wherever they are inlined
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#if defined(__GNUC__) && __GNUC__ == 12 && !defined(__clang__) && !defined(__CUDACC__) && \
    !defined(_IMMINTRIN_H_INCLUDED)
// Of <immintrin.h> the parts that are used, as it includes them itself: the others (half-precision arithmetic, masks for short
// registers) are three fifths of what takes a sixth of the time to parse this library. Each part has a guard of its own, so that
// <immintrin.h>, included later, adds the others. They are in the order in which they need each other.
#define RICCI_INTRINSICS_IN_PARTS 1
#define _IMMINTRIN_H_INCLUDED
// clang-format off
#include <x86gprintrin.h>
#include <smmintrin.h>
#include <avxintrin.h>
#include <avx2intrin.h>
#include <avx512fintrin.h>
#include <avx512dqintrin.h>
#include <f16cintrin.h>
#include <fmaintrin.h>
typedef unsigned int __mmask32;  // as in the parts for them, which may come yet; xsimd names them
typedef unsigned long long __mmask64;
#include <xsimd/types/xsimd_all_registers.hpp>  // it includes <immintrin.h>
// clang-format on
#undef _IMMINTRIN_H_INCLUDED
#else
#include <immintrin.h>
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
namespace ricci::detail {

/// Of 16 bytes those that have a bit in common with the other's.
RICCI_INLINE __mmask16 common_bits(__m128i a, __m128i b) {
#if defined(RICCI_INTRINSICS_IN_PARTS)
    return __builtin_ia32_ptestmb128(reinterpret_cast<__v16qi>(a), reinterpret_cast<__v16qi>(b), 0xffff);
#else
    return _mm_test_epi8_mask(a, b);
#endif
}
/// `value` in the bytes that a mask has, 0 in the others.
RICCI_INLINE __m128i masked_byte(__mmask16 mask, char value) {
#if defined(RICCI_INTRINSICS_IN_PARTS)
    return reinterpret_cast<__m128i>(__builtin_ia32_pbroadcastb128_gpr_mask(value, __v16qi{}, mask));
#else
    return _mm_maskz_set1_epi8(mask, value);
#endif
}
/// The bytes at x that a mask has, 0 in place of the others, which are not read.
RICCI_INLINE __m128i masked_bytes(__mmask16 mask, const void* x) {
#if defined(RICCI_INTRINSICS_IN_PARTS)
    return reinterpret_cast<__m128i>(__builtin_ia32_loaddquqi128_mask(static_cast<const char*>(x), __v16qi{}, mask));
#else
    return _mm_maskz_loadu_epi8(mask, x);
#endif
}

}  // namespace ricci::detail
#endif
#endif
