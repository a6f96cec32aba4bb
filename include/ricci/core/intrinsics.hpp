// The processor's instructions, as the compiler names them.
#pragma once

#if defined(__SSE2__) && !defined(RICCI_NO_SIMD)
#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 takes the undefined registers of its own header for mistakes, and warns of them wherever they are inlined
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
