// What the GNU vector extension lacks, on the registers of each instruction set: masks, rounding, fused multiply-add,
// partial loads, scaling by powers of two.
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "../../core/config.hpp"
#include "../../core/intrinsics.hpp"

// The arithmetic is that of the GNU vector extension, which g++ and clang share: it is always inlined, and xsimd 8.1 is
// wrong on AVX-512 in `!=` (ordered), unary minus (-0) and `^` of masks.
#if !defined(RICCI_NO_SIMD) && (defined(__GNUC__) || defined(__clang__))
// of xsimd, the registers of the target alone: its functions would take half a second of each translation unit, and its
// list of architectures, which asks the processor, another quarter
#include <complex>
#include <cstddef>
#include <xsimd/types/xsimd_all_registers.hpp>
#if XSIMD_WITH_AVX512F || XSIMD_WITH_AVX || XSIMD_WITH_SSE2 || XSIMD_WITH_NEON64 || XSIMD_WITH_NEON
#define RICCI_HAS_SIMD 1
#else
#include <xsimd/config/xsimd_arch.hpp>
#if !defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)
#define RICCI_HAS_SIMD 1
#endif
#endif
#endif

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

#if XSIMD_WITH_AVX512F
using simd_architecture = xsimd::avx512f;
#elif XSIMD_WITH_AVX
using simd_architecture = xsimd::avx;
#elif XSIMD_WITH_SSE2
using simd_architecture = xsimd::sse2;
#elif XSIMD_WITH_NEON64
using simd_architecture = xsimd::neon64;
#elif XSIMD_WITH_NEON
using simd_architecture = xsimd::neon;
#else
using simd_architecture = xsimd::default_arch;
#endif

// Integers of the lanes' width, and the mask of comparing: vectors of 0 and -1.
template <class Native>
struct native_lane {
    using type = std::remove_cvref_t<decltype(std::declval<Native&>()[0])>;
};
template <class Native>
using native_lane_t = typename native_lane<Native>::type;
template <class Native>
struct native_integers {
    using lane = std::conditional_t<sizeof(native_lane_t<Native>) == 4, std::int32_t, std::int64_t>;
    typedef lane type __attribute__((vector_size(sizeof(Native))));
};
template <class Native>
using native_integers_t = typename native_integers<Native>::type;

// ---- Generic forms: the vector extension, and xsimd where that has none --------------------------------------------

template <class Native>
RICCI_INLINE auto less(Native a, Native b) {
    return (native_integers_t<Native>)(a < b);
}
template <class Native>
RICCI_INLINE auto less_equal(Native a, Native b) {
    return (native_integers_t<Native>)(a <= b);
}
template <class Native>
RICCI_INLINE auto equal(Native a, Native b) {
    return (native_integers_t<Native>)(a == b);
}
template <class Native>
RICCI_INLINE auto not_equal(Native a, Native b) {
    return (native_integers_t<Native>)(a != b);
}
template <class Mask, class Native>
RICCI_INLINE Native blend(Mask m, Native a, Native b) {
    return (native_integers_t<Native>)m ? a : b;
}
// The larger and the smaller; of two values one of which is NaN, either the second or NaN.
template <class Native>
RICCI_INLINE Native larger(Native a, Native b) {
    return a > b ? a : b;
}
template <class Native>
RICCI_INLINE Native smaller(Native a, Native b) {
    return a < b ? a : b;
}
/// A mask of the odd ones among integers of the width of Native's lanes.
template <class Integers, class Native>
RICCI_INLINE auto lowest_set(Integers n, Native) {
    return (n & 1) == 1;
}
template <class Native>
RICCI_INLINE Native multiply_add(Native a, Native b, Native c) {
    Native sum = a * b + c;
    RICCI_KEEP_ROUNDING(sum);
    return sum;
}
template <class Native>
RICCI_INLINE Native square_root(Native a) {
    for (std::size_t i = 0; i < sizeof(Native) / sizeof(a[0]); ++i)
        a[i] = static_cast<native_lane_t<Native>>(__builtin_sqrt(a[i]));
    return a;
}
/// Not zero if any lane of a mask is true.
template <class Mask>
RICCI_INLINE std::uint64_t mask_bits(Mask m) {
    std::uint64_t half[sizeof(Mask) / 8], any = 0;
    __builtin_memcpy(half, &m, sizeof m);
    for (const std::uint64_t h : half) any |= h;
    return any;
}
/// Whether all lanes of a mask are true.
template <class Mask>
RICCI_INLINE bool all_lanes(Mask m) {
    return mask_bits((Mask) ~(native_integers_t<Mask>)m) == 0;
}

// The first n lanes from or to memory, the other lanes zero or untouched. The last argument picks the register.
template <class T, class Native>
RICCI_INLINE Native load_first(const T* p, index_t n, Native*) {
    Native r{};
    T buffer[sizeof(Native) / sizeof(T)] = {};
    for (index_t i = 0; i < n; ++i) buffer[i] = p[i];
    __builtin_memcpy(&r, buffer, sizeof r);
    return r;
}
template <class T, class Native>
RICCI_INLINE void store_first(T* p, index_t n, const Native* r) {
    T buffer[sizeof(Native) / sizeof(T)];
    __builtin_memcpy(buffer, r, sizeof buffer);
    for (index_t i = 0; i < n; ++i) p[i] = buffer[i];
}

enum class rounding { to_nearest = 0, down = 1, up = 2, to_zero = 3 };

template <class Native>
RICCI_INLINE Native magnitude_of(Native a) {
    constexpr auto low = std::numeric_limits<typename native_integers<Native>::lane>::max();
    return (Native)((native_integers_t<Native>)a & low);
}
/// The sign bits alone.
template <class Native>
RICCI_INLINE Native sign_of(Native a) {
    constexpr auto low = std::numeric_limits<typename native_integers<Native>::lane>::max();
    return (Native)((native_integers_t<Native>)a & ~low);
}
#if defined(__SSE2__)
// By -0, the constant that negates, in one register or in memory: of integers g++ makes one anew in each step, by three
// instructions, wherever registers are few.
RICCI_INLINE __m128 magnitude_of(__m128 a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
RICCI_INLINE __m128d magnitude_of(__m128d a) { return _mm_andnot_pd(_mm_set1_pd(-0.0), a); }
RICCI_INLINE __m128 sign_of(__m128 a) { return _mm_and_ps(_mm_set1_ps(-0.0f), a); }
RICCI_INLINE __m128d sign_of(__m128d a) { return _mm_and_pd(_mm_set1_pd(-0.0), a); }
#endif
#if defined(__AVX__)
RICCI_INLINE __m256 magnitude_of(__m256 a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
RICCI_INLINE __m256d magnitude_of(__m256d a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
RICCI_INLINE __m256 sign_of(__m256 a) { return _mm256_and_ps(_mm256_set1_ps(-0.0f), a); }
RICCI_INLINE __m256d sign_of(__m256d a) { return _mm256_and_pd(_mm256_set1_pd(-0.0), a); }
#endif
#if defined(__AVX512DQ__)
RICCI_INLINE __m512 magnitude_of(__m512 a) { return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), a); }
RICCI_INLINE __m512d magnitude_of(__m512d a) { return _mm512_andnot_pd(_mm512_set1_pd(-0.0), a); }
RICCI_INLINE __m512 sign_of(__m512 a) { return _mm512_and_ps(_mm512_set1_ps(-0.0f), a); }
RICCI_INLINE __m512d sign_of(__m512d a) { return _mm512_and_pd(_mm512_set1_pd(-0.0), a); }
#endif
template <class Native>
RICCI_INLINE Native with_sign_of(Native magnitude, Native sign) {
    using integers = native_integers_t<Native>;
    return (Native)((integers)magnitude_of(magnitude) | (integers)sign_of(sign));
}
// Without an instruction: adding 2^23 (2^52) leaves no room for a fraction.
template <rounding Mode, class Native>
RICCI_INLINE Native rounded(Native a) {
    using T = native_lane_t<Native>;
    constexpr T big = sizeof(T) == 4 ? T(8388608) : T(4503599627370496);
    const Native size = magnitude_of(a);
    Native near = size + big;
    RICCI_KEEP_ROUNDING(near);
    near -= big;
    Native r = near;
    if constexpr (Mode == rounding::to_zero) r = near > size ? near - T(1) : near;
    r = with_sign_of(r, a);
    if constexpr (Mode == rounding::down) r = r > a ? r - T(1) : r;
    if constexpr (Mode == rounding::up) r = with_sign_of(r < a ? r + T(1) : r, a);
    return size < big ? r : a;
}

// Adding it to a small number rounds that to an integer, to nearest, and leaves the integer in the low bits.
template <class T>
inline constexpr T rounding_shift = sizeof(T) == 4 ? T(12582912) : T(6755399441055744);

/// a * 2^n for integral n of any size, rounded once also where the result is subnormal.
template <class Native>
RICCI_INLINE Native scaled(Native a, Native n) {
    using T = native_lane_t<Native>;
    using natural = std::make_unsigned_t<typename native_integers<Native>::lane>;
    typedef natural naturals __attribute__((vector_size(sizeof(Native))));
    constexpr int bits = std::numeric_limits<T>::digits - 1, bias = std::numeric_limits<T>::max_exponent - 1;
    // halves of n by rounding, so that no arithmetic shift of 64-bit integers is needed
    Native first = n * T(0.5) + rounding_shift<T>, second = n;
    RICCI_KEEP_ROUNDING(first);
    second -= first - rounding_shift<T>;
    RICCI_KEEP_ROUNDING(second);
    second += rounding_shift<T>;
    constexpr natural one = static_cast<natural>(bias) << bits;
    return a * (Native)(((naturals)first << bits) + one) * (Native)(((naturals)second << bits) + one);
}

// ---- x86 -----------------------------------------------------------------------------------------------------------

#if defined(__SSE2__)
/// The lanes of a mask as truth values, in as many of the low bytes.
RICCI_INLINE __m128i packed_truths(__m128i low, __m128i high) {
    const __m128i narrow = _mm_packs_epi32(low, high);
    return _mm_and_si128(_mm_packs_epi16(narrow, narrow), _mm_set1_epi8(1));
}
RICCI_INLINE __m128i truths_of(__m128 m) { return packed_truths(_mm_castps_si128(m), _mm_castps_si128(m)); }
RICCI_INLINE __m128i truths_of(__m128d m) {
    const __m128 v = _mm_castpd_ps(m);
    return truths_of(_mm_shuffle_ps(v, v, 0x88));
}
#endif
#if defined(__AVX__)
RICCI_INLINE __m128i truths_of(__m256 m) {
    return packed_truths(_mm_castps_si128(_mm256_castps256_ps128(m)), _mm_castps_si128(_mm256_extractf128_ps(m, 1)));
}
RICCI_INLINE __m128i truths_of(__m256d m) {
    const __m256 v = _mm256_castpd_ps(m);
    return truths_of(_mm_shuffle_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1), 0x88));
}
#endif
#if defined(__AVX512BW__)
// In the longest registers: core/intrinsics.hpp leaves out the functions of shorter ones that have masks.
/// Which of the bytes are not zero.
RICCI_INLINE __mmask16 mask_of_bytes(__m128i b) {
    const __m512i wide = _mm512_castsi128_si512(b);
    return static_cast<__mmask16>(_mm512_test_epi8_mask(wide, wide));
}
RICCI_INLINE __m128i bytes_of_mask(__mmask16 m) { return _mm512_castsi512_si128(_mm512_maskz_set1_epi8(m, 1)); }
#endif
// The mask of as many truth values in the low bytes; the last argument is there for its type.
#if defined(__SSE4_2__)
RICCI_INLINE __m128 mask_of_truths(__m128i b, __m128) {
    return _mm_castsi128_ps(_mm_cmpgt_epi32(_mm_cvtepu8_epi32(b), _mm_setzero_si128()));
}
RICCI_INLINE __m128d mask_of_truths(__m128i b, __m128d) {
    return _mm_castsi128_pd(_mm_cmpgt_epi64(_mm_cvtepu8_epi64(b), _mm_setzero_si128()));
}
#endif
#if defined(__AVX2__)
RICCI_INLINE __m256 mask_of_truths(__m128i b, __m256) {
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_cvtepu8_epi32(b), _mm256_setzero_si256()));
}
RICCI_INLINE __m256d mask_of_truths(__m128i b, __m256d) {
    return _mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_cvtepu8_epi64(b), _mm256_setzero_si256()));
}
#endif

#if defined(__SSE2__)
RICCI_INLINE std::uint64_t mask_bits(__m128 m) { return static_cast<unsigned>(_mm_movemask_ps(m)); }
RICCI_INLINE std::uint64_t mask_bits(__m128d m) { return static_cast<unsigned>(_mm_movemask_pd(m)); }
RICCI_INLINE bool all_lanes(__m128 m) { return _mm_movemask_ps(m) == 15; }
RICCI_INLINE bool all_lanes(__m128d m) { return _mm_movemask_pd(m) == 3; }
RICCI_INLINE __m128 larger(__m128 a, __m128 b) { return _mm_max_ps(a, b); }
RICCI_INLINE __m128d larger(__m128d a, __m128d b) { return _mm_max_pd(a, b); }
RICCI_INLINE __m128 smaller(__m128 a, __m128 b) { return _mm_min_ps(a, b); }
RICCI_INLINE __m128d smaller(__m128d a, __m128d b) { return _mm_min_pd(a, b); }
RICCI_INLINE __m128 square_root(__m128 a) { return _mm_sqrt_ps(a); }
RICCI_INLINE __m128d square_root(__m128d a) { return _mm_sqrt_pd(a); }
#endif
#if defined(__SSE4_1__)
template <rounding Mode>
RICCI_INLINE __m128 rounded(__m128 a) {
    return _mm_round_ps(a, static_cast<int>(Mode) | _MM_FROUND_NO_EXC);
}
template <rounding Mode>
RICCI_INLINE __m128d rounded(__m128d a) {
    return _mm_round_pd(a, static_cast<int>(Mode) | _MM_FROUND_NO_EXC);
}
#endif
#if defined(__FMA__)
RICCI_INLINE __m128 multiply_add(__m128 a, __m128 b, __m128 c) { return _mm_fmadd_ps(a, b, c); }
RICCI_INLINE __m128d multiply_add(__m128d a, __m128d b, __m128d c) { return _mm_fmadd_pd(a, b, c); }
RICCI_INLINE __m256 multiply_add(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
RICCI_INLINE __m256d multiply_add(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
#endif

#if defined(__AVX__)
alignas(64) inline constexpr std::int32_t first_lanes_table[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

RICCI_INLINE __m256i first_lanes(index_t n, int words) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first_lanes_table + 8 - n * words));
}
RICCI_INLINE __m256 load_first(const float* p, index_t n, __m256*) { return _mm256_maskload_ps(p, first_lanes(n, 1)); }
RICCI_INLINE __m256d load_first(const double* p, index_t n, __m256d*) {
    return _mm256_maskload_pd(p, first_lanes(n, 2));
}
RICCI_INLINE void store_first(float* p, index_t n, const __m256* r) { _mm256_maskstore_ps(p, first_lanes(n, 1), *r); }
RICCI_INLINE void store_first(double* p, index_t n, const __m256d* r) { _mm256_maskstore_pd(p, first_lanes(n, 2), *r); }
RICCI_INLINE std::uint64_t mask_bits(__m256 m) { return static_cast<unsigned>(_mm256_movemask_ps(m)); }
RICCI_INLINE std::uint64_t mask_bits(__m256d m) { return static_cast<unsigned>(_mm256_movemask_pd(m)); }
RICCI_INLINE bool all_lanes(__m256 m) { return _mm256_movemask_ps(m) == 255; }
RICCI_INLINE bool all_lanes(__m256d m) { return _mm256_movemask_pd(m) == 15; }
RICCI_INLINE __m256 larger(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
RICCI_INLINE __m256d larger(__m256d a, __m256d b) { return _mm256_max_pd(a, b); }
RICCI_INLINE __m256 smaller(__m256 a, __m256 b) { return _mm256_min_ps(a, b); }
RICCI_INLINE __m256d smaller(__m256d a, __m256d b) { return _mm256_min_pd(a, b); }
RICCI_INLINE __m256 square_root(__m256 a) { return _mm256_sqrt_ps(a); }
RICCI_INLINE __m256d square_root(__m256d a) { return _mm256_sqrt_pd(a); }
template <rounding Mode>
RICCI_INLINE __m256 rounded(__m256 a) {
    return _mm256_round_ps(a, static_cast<int>(Mode) | _MM_FROUND_NO_EXC);
}
template <rounding Mode>
RICCI_INLINE __m256d rounded(__m256d a) {
    return _mm256_round_pd(a, static_cast<int>(Mode) | _MM_FROUND_NO_EXC);
}
#endif

// AVX-512 by the zero-masked forms: the plain ones of g++ 12 warn of uninitialized values, and cost the same.
#if defined(__AVX512F__)
inline constexpr __mmask16 all16 = 0xffff;
inline constexpr __mmask8 all8 = 0xff;
RICCI_INLINE unsigned first_bits(index_t n) { return (1u << n) - 1; }
RICCI_INLINE __m512 load_first(const float* p, index_t n, __m512*) {
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>(first_bits(n)), p);
}
RICCI_INLINE __m512d load_first(const double* p, index_t n, __m512d*) {
    return _mm512_maskz_loadu_pd(static_cast<__mmask8>(first_bits(n)), p);
}
RICCI_INLINE void store_first(float* p, index_t n, const __m512* r) {
    _mm512_mask_storeu_ps(p, static_cast<__mmask16>(first_bits(n)), *r);
}
RICCI_INLINE void store_first(double* p, index_t n, const __m512d* r) {
    _mm512_mask_storeu_pd(p, static_cast<__mmask8>(first_bits(n)), *r);
}
RICCI_INLINE __mmask16 less(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
RICCI_INLINE __mmask8 less(__m512d a, __m512d b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
RICCI_INLINE __mmask16 less_equal(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
RICCI_INLINE __mmask8 less_equal(__m512d a, __m512d b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
RICCI_INLINE __mmask16 equal(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
RICCI_INLINE __mmask8 equal(__m512d a, __m512d b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
RICCI_INLINE __mmask16 not_equal(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ); }
RICCI_INLINE __mmask8 not_equal(__m512d a, __m512d b) { return _mm512_cmp_pd_mask(a, b, _CMP_NEQ_UQ); }
RICCI_INLINE std::uint64_t mask_bits(__mmask16 m) { return m; }
RICCI_INLINE std::uint64_t mask_bits(__mmask8 m) { return m; }
RICCI_INLINE __m512 blend(__mmask16 m, __m512 a, __m512 b) { return _mm512_mask_blend_ps(m, b, a); }
RICCI_INLINE __m512d blend(__mmask8 m, __m512d a, __m512d b) { return _mm512_mask_blend_pd(m, b, a); }
RICCI_INLINE __m512 larger(__m512 a, __m512 b) { return _mm512_maskz_max_ps(all16, a, b); }
RICCI_INLINE __m512d larger(__m512d a, __m512d b) { return _mm512_maskz_max_pd(all8, a, b); }
RICCI_INLINE __m512 smaller(__m512 a, __m512 b) { return _mm512_maskz_min_ps(all16, a, b); }
RICCI_INLINE __m512d smaller(__m512d a, __m512d b) { return _mm512_maskz_min_pd(all8, a, b); }
RICCI_INLINE __m512 square_root(__m512 a) { return _mm512_maskz_sqrt_ps(all16, a); }
RICCI_INLINE __m512d square_root(__m512d a) { return _mm512_maskz_sqrt_pd(all8, a); }
RICCI_INLINE __m512 multiply_add(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
RICCI_INLINE __m512d multiply_add(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
template <rounding Mode>
RICCI_INLINE __m512 rounded(__m512 a) {
    return _mm512_maskz_roundscale_ps(all16, a, static_cast<int>(Mode) | _MM_FROUND_NO_EXC);
}
template <rounding Mode>
RICCI_INLINE __m512d rounded(__m512d a) {
    return _mm512_maskz_roundscale_pd(all8, a, static_cast<int>(Mode) | _MM_FROUND_NO_EXC);
}
RICCI_INLINE __m512 reciprocal14(__m512 a) { return _mm512_maskz_rcp14_ps(all16, a); }
RICCI_INLINE __m512d reciprocal14(__m512d a) { return _mm512_maskz_rcp14_pd(all8, a); }
#if defined(__AVX512DQ__)
// By the sign, which needs no constant.
template <class Integers>
RICCI_INLINE __mmask16 lowest_set(Integers n, __m512) {
    return _mm512_movepi32_mask((__m512i)(n << 31));
}
template <class Integers>
RICCI_INLINE __mmask8 lowest_set(Integers n, __m512d) {
    return _mm512_movepi64_mask((__m512i)(n << 63));
}
#else
template <class Integers>
RICCI_INLINE __mmask16 lowest_set(Integers n, __m512) {
    return _mm512_test_epi32_mask((__m512i)n, _mm512_set1_epi32(1));
}
template <class Integers>
RICCI_INLINE __mmask8 lowest_set(Integers n, __m512d) {
    return _mm512_test_epi64_mask((__m512i)n, _mm512_set1_epi64(1));
}
#endif
RICCI_INLINE __m512 scaled(__m512 a, __m512 n) { return _mm512_maskz_scalef_ps(all16, a, n); }
RICCI_INLINE __m512d scaled(__m512d a, __m512d n) { return _mm512_maskz_scalef_pd(all8, a, n); }
/// The same, but 0 where x < least, at once: it takes the microcode to find that a result is no number above 0.
RICCI_INLINE __m512 scaled_from(float least, __m512 x, __m512 a, __m512 n) {
    return _mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(x, _mm512_set1_ps(least), _CMP_NLT_UQ), a, n);
}
RICCI_INLINE __m512d scaled_from(double least, __m512d x, __m512d a, __m512d n) {
    return _mm512_maskz_scalef_pd(_mm512_cmp_pd_mask(x, _mm512_set1_pd(least), _CMP_NLT_UQ), a, n);
}
#endif

#if defined(__aarch64__)
RICCI_INLINE float32x4_t multiply_add(float32x4_t a, float32x4_t b, float32x4_t c) { return vfmaq_f32(c, a, b); }
RICCI_INLINE float64x2_t multiply_add(float64x2_t a, float64x2_t b, float64x2_t c) { return vfmaq_f64(c, a, b); }
RICCI_INLINE float32x4_t square_root(float32x4_t a) { return vsqrtq_f32(a); }
RICCI_INLINE float64x2_t square_root(float64x2_t a) { return vsqrtq_f64(a); }
#endif

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
#endif  // RICCI_HAS_SIMD
