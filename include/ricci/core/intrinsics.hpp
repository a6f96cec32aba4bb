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
#if RICCI_INTRINSICS_IN_PARTS && !defined(__AVX512F__) && !defined(__FMA4__) && !defined(__CUDACC__) && \
    !defined(__IMMINTRIN_H) && !defined(_IMMINTRIN_H_INCLUDED)
// Without AVX-512, whose functions these compilers parse for every target: that takes a fifth of the time to parse this library.
// Each part has a guard of its own, so that <immintrin.h>, included later, adds the others; xsimd, which includes it, has nothing
// on these targets that needs them.
#define __IMMINTRIN_H
#define _IMMINTRIN_H_INCLUDED
// clang-format off
#include <x86gprintrin.h>
#include <smmintrin.h>
#include <avxintrin.h>
#include <avx2intrin.h>
#include <f16cintrin.h>
#include <fmaintrin.h>
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
