// Registers of wider numbers from as many narrow ones.
#pragma once
#include <cstring>

#include "native.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

// g++ 12 converts the halves one by one and puts them together, which takes five instructions where the processor has
// one.
#if defined(__AVX2__)
RICCI_INLINE __m256d doubles_of(__m128 x) { return _mm256_cvtps_pd(x); }
RICCI_INLINE __m256d doubles_of(__m128i x) { return _mm256_cvtepi32_pd(x); }
template <bool Signed>
RICCI_INLINE __m128i four_integers(__m128i x, std::integral_constant<int, 1>) {
    return Signed ? _mm_cvtepi8_epi32(x) : _mm_cvtepu8_epi32(x);
}
template <bool Signed>
RICCI_INLINE __m128i four_integers(__m128i x, std::integral_constant<int, 2>) {
    return Signed ? _mm_cvtepi16_epi32(x) : _mm_cvtepu16_epi32(x);
}
template <bool Signed>
RICCI_INLINE __m256i eight_integers(__m128i x, std::integral_constant<int, 1>) {
    return Signed ? _mm256_cvtepi8_epi32(x) : _mm256_cvtepu8_epi32(x);
}
template <bool Signed>
RICCI_INLINE __m256i eight_integers(__m128i x, std::integral_constant<int, 2>) {
    return Signed ? _mm256_cvtepi16_epi32(x) : _mm256_cvtepu16_epi32(x);
}
#endif
#if defined(__AVX512F__)
RICCI_INLINE __m512d doubles_of(__m256 x) { return _mm512_maskz_cvtps_pd(all8, x); }
RICCI_INLINE __m512d doubles_of(__m256i x) { return _mm512_maskz_cvtepi32_pd(all8, x); }
template <bool Signed>
RICCI_INLINE __m512i sixteen_integers(__m256i x, std::integral_constant<int, 1>) {
    const __m128i low = _mm256_castsi256_si128(x);
    return Signed ? _mm512_maskz_cvtepi8_epi32(all16, low) : _mm512_maskz_cvtepu8_epi32(all16, low);
}
template <bool Signed>
RICCI_INLINE __m512i sixteen_integers(__m256i x, std::integral_constant<int, 2>) {
    return Signed ? _mm512_maskz_cvtepi16_epi32(all16, x) : _mm512_maskz_cvtepu16_epi32(all16, x);
}
#endif

/// The bits of a vector in the first bytes of a register. By instructions: what is stored in parts is read slowly as a
/// whole.
template <class Register, class From>
RICCI_INLINE Register in_register(const From& x) {
#if defined(__AVX512F__)
    if constexpr (sizeof(From) == 32 && sizeof(Register) == 64)
        return (Register)_mm512_maskz_inserti64x4(all8, _mm512_setzero_si512(), (__m256i)x, 0);
#endif
#if defined(__AVX2__)
    if constexpr (sizeof(From) == 16 && sizeof(Register) == 32)
        return (Register)_mm256_inserti128_si256(_mm256_setzero_si256(), (__m128i)x, 0);
#endif
    if constexpr (sizeof(Register) == 16 && (sizeof(From) == 4 || sizeof(From) == 8)) {
        using word = std::conditional_t<sizeof(From) == 4, std::uint32_t, std::uint64_t>;
        typedef word words __attribute__((vector_size(16)));
        word first;
        std::memcpy(&first, &x, sizeof x);
        const words whole{first};
        return (Register)whole;
    }
    Register r{};
    std::memcpy(&r, &x, sizeof x);
    return r;
}
/// Integers of one or two bytes as 32-bit ones, in a vector To of as many lanes, which is deduced: nvcc forgets the
/// lanes of a vector type that is named as an argument.
template <class From, class To>
RICCI_INLINE To integers_of(const From& x, const To*) {
    using T = native_lane_t<From>;
    constexpr int lanes = sizeof(From) / sizeof(T);
    [[maybe_unused]] constexpr bool is_signed = std::is_signed_v<T>;
    [[maybe_unused]] const std::integral_constant<int, sizeof(T)> item;
#if defined(__AVX512F__)
    if constexpr (lanes == 16) return (To)sixteen_integers<is_signed>(in_register<__m256i>(x), item);
#endif
#if defined(__AVX2__)
    if constexpr (lanes == 8) return (To)eight_integers<is_signed>(in_register<__m128i>(x), item);
    if constexpr (lanes == 4) return (To)four_integers<is_signed>(in_register<__m128i>(x), item);
#endif
    if constexpr (sizeof(T) ==
                  1) {  // by steps of twice the size: g++ converts lane by lane what no instruction does at once
        typedef short shorts __attribute__((vector_size(sizeof(short) * lanes)));
        return __builtin_convertvector(__builtin_convertvector(x, shorts), To);
    } else {
        return __builtin_convertvector(x, To);
    }
}
/// Numbers of any type as floating ones that are no narrower, in a vector To of as many lanes.
template <class To, class From>
RICCI_INLINE To widened(const From& x) {
    using T = native_lane_t<From>;
    constexpr int lanes = sizeof(From) / sizeof(T);
    if constexpr (sizeof(T) < 4) {
        typedef int integers __attribute__((vector_size(sizeof(int) * lanes)));
        return widened<To>(integers_of(x, static_cast<const integers*>(nullptr)));
    } else {
        constexpr bool is_float = std::is_same_v<T, float>;
        [[maybe_unused]] constexpr bool doubles =
            sizeof(To) == 8 * lanes && (is_float || std::is_same_v<T, std::int32_t>);
#if defined(__AVX512F__)
        if constexpr (doubles && lanes == 8) {
            if constexpr (is_float) return (To)doubles_of((__m256)x);
            else return (To)doubles_of((__m256i)x);
        }
#endif
#if defined(__AVX2__)
        if constexpr (doubles && lanes == 4) {
            if constexpr (is_float) return (To)doubles_of((__m128)x);
            else return (To)doubles_of((__m128i)x);
        }
#endif
        return __builtin_convertvector(x, To);
    }
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
#endif
