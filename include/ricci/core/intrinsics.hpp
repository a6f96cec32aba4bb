// The processor's instructions, as the compiler names them.
#pragma once

#if defined(__SSE2__) && !defined(RICCI_NO_SIMD)
#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 takes the undefined registers of its own header for mistakes, and warns of them wherever they are inlined
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#if defined(__clang__)
#define RICCI_INTRINSICS_IN_PARTS (__clang_major__ == 19)
#elif defined(__GNUC__)
#define RICCI_INTRINSICS_IN_PARTS (__GNUC__ >= 11 && __GNUC__ <= 14)
#else
#define RICCI_INTRINSICS_IN_PARTS 0
#endif
#if RICCI_INTRINSICS_IN_PARTS && (!defined(__AVX512F__) || (defined(__AVX512BW__) && defined(__AVX512DQ__))) && \
    !defined(__FMA4__) && !defined(__CUDACC__) && !defined(__IMMINTRIN_H) && !defined(_IMMINTRIN_H_INCLUDED)
// Only what is used: these compilers parse all of AVX-512 for every target, which takes a quarter of the time to parse
// this library. Each part has a guard of its own, so that <immintrin.h>, included later, adds the others; of xsimd,
// which includes it, this library takes what needs none of them. Of AVX-512 the shorter registers' functions are among
// the others: they are as much text as all that is here.
#define __IMMINTRIN_H
#define _IMMINTRIN_H_INCLUDED
// clang-format off
#include <smmintrin.h>
#include <avxintrin.h>
#include <avx2intrin.h>
#include <f16cintrin.h>
#include <fmaintrin.h>
#if defined(__AVX512F__)
#include <avx512fintrin.h>
typedef unsigned int __mmask32;  // which g++ says in another part
#include <avx512bwintrin.h>
#include <avx512dqintrin.h>
#endif
#include <xsimd/types/xsimd_all_registers.hpp>
// clang-format on
#undef __IMMINTRIN_H
#undef _IMMINTRIN_H_INCLUDED
#else
#include <immintrin.h>
#endif
#undef RICCI_INTRINSICS_IN_PARTS
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
