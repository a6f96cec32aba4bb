// The processor's instructions, as the compiler names them.
#pragma once

#if defined(__SSE2__) && !defined(RICCI_NO_SIMD)
#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 takes the undefined registers of its own header for mistakes, and warns of them wherever they are inlined
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && __GNUC__ == 12 && !defined(_IMMINTRIN_H_INCLUDED)
// The parts that are used, as <immintrin.h> includes them: half-precision arithmetic, masks of bytes for all sizes of registers
// and other extensions are a third of it, and it is a fifth of what this library takes to parse. Each part has a guard of its own,
// so that <immintrin.h> may come later and adds the others.
#define _IMMINTRIN_H_INCLUDED
#include <x86gprintrin.h>
//
#include <smmintrin.h>
//
#include <avxintrin.h>
//
#include <avx2intrin.h>
//
#include <avx512fintrin.h>
//
#include <avx512vlintrin.h>
//
#include <avx512bwintrin.h>
#include <avx512dqintrin.h>
//
#include <avx512vlbwintrin.h>
#include <f16cintrin.h>
#include <fmaintrin.h>
#include <xsimd/types/xsimd_all_registers.hpp>  // which includes <immintrin.h>
#undef _IMMINTRIN_H_INCLUDED
#else
#include <immintrin.h>
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
