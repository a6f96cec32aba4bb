// Compiler portability: attributes, the index type, and the host/device markers.
#pragma once
#include <cstddef>
#include <cstdint>

#define RICCI_VERSION_MAJOR 0
#define RICCI_VERSION_MINOR 1
#define RICCI_VERSION_PATCH 0

#if defined(__CUDACC__)
#define RICCI_HD __host__ __device__
// Between these two, templates that serve host and device may be instantiated with host-only functions, by host code
// that is: nvcc warns of it. Elsewhere the warning stands; it is what tells that a function given to `map` is not
// __device__.
#define RICCI_BOTH_SIDES_BEGIN _Pragma("nv_diagnostic push") _Pragma("nv_diag_suppress 20011, 20014")
#define RICCI_BOTH_SIDES_END _Pragma("nv_diagnostic pop")
#if defined(__CUDA_ARCH__) && !defined(RICCI_NO_SIMD)
#define RICCI_NO_SIMD  // device code has no vector types; the host pass keeps them
#endif
#else
#define RICCI_HD
#define RICCI_BOTH_SIDES_BEGIN
#define RICCI_BOTH_SIDES_END
#endif

#if defined(__GNUC__) || defined(__clang__)
#if defined(__OPTIMIZE__) || defined(__CUDA_ARCH__)
#define RICCI_INLINE inline __attribute__((always_inline))
#define RICCI_INLINE_LAMBDA __attribute__((always_inline))
#else  // unoptimized code only grows by it: a debug build then compiles in two thirds of the time
#define RICCI_INLINE inline
#define RICCI_INLINE_LAMBDA
#endif
#define RICCI_NOINLINE __attribute__((noinline))
// For what seldom runs and is compiled in every unit: once and for size, into nothing that calls it.
#define RICCI_COLD __attribute__((noinline, cold))
// Before a statement that calls what users wrote. g++ flattens all that is called within; clang, one level.
#if defined(__clang__) && defined(__OPTIMIZE__) && !defined(__CUDACC__)
#define RICCI_INLINE_CALL [[clang::always_inline]]
#else
#define RICCI_INLINE_CALL
#endif
#if defined(__clang__) || defined(__CUDACC__)
#define RICCI_FLATTEN __attribute__((flatten))
#else  // without it g++ counts vector constants as general registers, and leaves most of them inside of loops that call functions
#define RICCI_FLATTEN __attribute__((flatten, optimize("ira-loop-pressure")))
#endif
#if defined(__clang__) || defined(__CUDACC__) || !defined(__OPTIMIZE__) || defined(__OPTIMIZE_SIZE__)
#define RICCI_VECTORIZE
#else  // for plain loops over elements: what g++ 12 makes of them at -O2 takes up to 20 times as long
#define RICCI_VECTORIZE __attribute__((optimize("O3")))
#endif
// For conversions of which no particular result is promised: what is out of range, they leave to the processor.
#if defined(__clang__)
#define RICCI_ANY_RESULT __attribute__((no_sanitize("float-cast-overflow")))
#else
#define RICCI_ANY_RESULT
#endif
// Between these two is what decides how loops run, and is compiled in every unit, and what writes text: -O1 takes a
// tenth off a small one, two thirds off one that prints, of which loops show next to nothing. The library
// ricci::compiled is compiled once.
#if defined(__clang__) || defined(__CUDACC__) || !defined(__OPTIMIZE__) || defined(__OPTIMIZE_SIZE__) || \
    defined(RICCI_COMPILED)
#define RICCI_CONTROL_BEGIN
#define RICCI_CONTROL_END
#else
#define RICCI_CONTROL_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"O1\")")
#define RICCI_CONTROL_END _Pragma("GCC pop_options")
#endif
// Keeps a pointer in a register of its own. g++ moves a handle's two pointers as one vector, right after they were
// stored one by one: a load that has to wait until both stores are done, and nearly all of the time of a small
// expression.
#define RICCI_KEEP_SCALAR(pointer) asm("" : "+r"(pointer))
#else
#define RICCI_INLINE inline
#define RICCI_INLINE_LAMBDA
#define RICCI_INLINE_CALL
#define RICCI_NOINLINE
#define RICCI_COLD
#define RICCI_FLATTEN
#define RICCI_VECTORIZE
#define RICCI_ANY_RESULT
#define RICCI_CONTROL_BEGIN
#define RICCI_CONTROL_END
#define RICCI_KEEP_SCALAR(pointer)
#endif
// Keeps a vector in a register: g++ loads it anew for each use where registers are just enough.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__AVX__)
#define RICCI_KEEP_VECTOR(vector) asm("" : "+v"(vector))
#else
#define RICCI_KEEP_VECTOR(vector) static_cast<void>(0)
#endif
// -ffast-math lets compilers reorder sums and cancel x + big - big, with which kernels round and find what rounding
// lost: there each sum of registers is hidden from them.
#if (defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)) && defined(__SSE2__)
#define RICCI_KEEP_ROUNDING(vector) asm("" : "+v"(vector))
#elif (defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)) && defined(__ARM_NEON)
#define RICCI_KEEP_ROUNDING(vector) asm("" : "+w"(vector))
#else
#define RICCI_KEEP_ROUNDING(vector) static_cast<void>(0)
#endif
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define RICCI_UNROLL _Pragma("GCC unroll 16")
#define RICCI_ROLL  // before a loop that is to stay one, on a GPU
#elif defined(__CUDA_ARCH__)
#define RICCI_UNROLL _Pragma("unroll")
#define RICCI_ROLL _Pragma("unroll 1")
#else
#define RICCI_ROLL
#define RICCI_UNROLL  // clang does so by itself, and warns at -O1, where it does not, of a pragma; nvcc knows another
#endif

// The headers are included by translation units with different -m flags; whatever is compiled for one instruction set
// carries its name in the mangled symbol, so that the linker never picks an AVX-512 body for an SSE2 caller.
#if defined(RICCI_NO_SIMD) && !defined(__CUDA_ARCH__)  // nvcc's two passes must agree on names
#define RICCI_TARGET scalar
#elif defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__)
#define RICCI_TARGET avx512
#elif defined(__AVX512F__)
#define RICCI_TARGET avx512f
#elif defined(__AVX2__) && defined(__FMA__)
#define RICCI_TARGET avx2_fma
#elif defined(__AVX2__)
#define RICCI_TARGET avx2
#elif defined(__AVX__)
#define RICCI_TARGET avx
#elif defined(__SSE4_1__)
#define RICCI_TARGET sse4
#elif defined(__SSE2__)
#define RICCI_TARGET sse2
#elif defined(__ARM_NEON)
#define RICCI_TARGET neon
#else
#define RICCI_TARGET generic
#endif
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#define RICCI_FAST_OF(target) target##_fast_math  // nor one that takes NaN for a number
#define RICCI_FAST(target) RICCI_FAST_OF(target)
#define RICCI_ISA RICCI_FAST(RICCI_TARGET)
#else
#define RICCI_ISA RICCI_TARGET
#endif

// What knows no element types, the engine, is inline functions and classes. With RICCI_COMPILED a translation unit sees
// only their declarations, and the library ricci::compiled (source/ricci.cpp) has the bodies. It also has the templates
// of common element types (cpu/compiled_kernels.hpp): declared with RICCI_COMPILED_TEMPLATE in units, and defined with
// it in the library.
#if !defined(RICCI_COMPILED)
#define RICCI_ENGINE inline
#define RICCI_ENGINE_BODIES 1
#elif defined(RICCI_BUILDS_COMPILED)
#define RICCI_ENGINE
#define RICCI_ENGINE_BODIES 1
#define RICCI_COMPILED_TEMPLATE template
#else
#define RICCI_ENGINE
#define RICCI_ENGINE_BODIES 0
#define RICCI_COMPILED_TEMPLATE extern template
#endif
// Those that depend on the instruction set are the library's where RICCI_COMPILED_ISA, for which it was built, is this
// unit's; other units instantiate their own.
#if defined(RICCI_COMPILED_ISA) && !defined(__CUDACC__)
#define RICCI_ISA_NUMBER_scalar 1
#define RICCI_ISA_NUMBER_generic 2
#define RICCI_ISA_NUMBER_sse2 3
#define RICCI_ISA_NUMBER_sse4 4
#define RICCI_ISA_NUMBER_avx 5
#define RICCI_ISA_NUMBER_avx2 6
#define RICCI_ISA_NUMBER_avx2_fma 7
#define RICCI_ISA_NUMBER_avx512f 8
#define RICCI_ISA_NUMBER_avx512 9
#define RICCI_ISA_NUMBER_neon 10
#define RICCI_ISA_NUMBER_OF(isa) RICCI_ISA_NUMBER_##isa
#define RICCI_ISA_NUMBER(isa) RICCI_ISA_NUMBER_OF(isa)
#if RICCI_ISA_NUMBER(RICCI_ISA) == 0  // -ffast-math: for the library's other flags there is no number
#elif RICCI_ISA_NUMBER(RICCI_COMPILED_ISA) == RICCI_ISA_NUMBER(RICCI_ISA)
#define RICCI_COMPILED_KERNELS 1
#elif defined(RICCI_BUILDS_COMPILED)
#error "ricci: compiled for another instruction set than RICCI_COMPILED_ISA says; name it (-march) in CMAKE_CXX_FLAGS"
#endif
#endif

namespace ricci {

/// The type of extents, strides and indices: signed, so that negative steps and differences are ordinary arithmetic.
using index_t = std::ptrdiff_t;

/// False, but not before a template is instantiated: for static_assert. A concept, since clang writes any other
/// condition before the message, with all types in it.
template <class... T>
concept always_false = sizeof...(T) == static_cast<std::size_t>(-1);

}  // namespace ricci
