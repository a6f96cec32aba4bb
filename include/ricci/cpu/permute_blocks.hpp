// Small dense blocks of elements put into another order, a register each: batches of small matrices transposed, axes of
// few elements moved.
#pragma once
#include <cstring>

#include "../core/dtype.hpp"
#include "../core/intrinsics.hpp"

#if (defined(__AVX512F__) || defined(__AVX2__)) && !defined(__CUDACC__) && !defined(RICCI_NO_SIMD)
#define RICCI_PERMUTES_REGISTERS 1
#endif

namespace ricci::detail {

/// Which element of the block that is read goes to each place of the block that is written.
struct block_order {
    static constexpr int most = 16;
    int size = 0;
    int at[most] = {};
};

inline namespace RICCI_ISA {

#if defined(RICCI_PERMUTES_REGISTERS) && defined(__AVX512F__)
/// Registers of 512 bits of which the first elements alone are read and written. (What is not masked warns in g++ 12.)
template <std::size_t Size>
struct block_register;
template <>
struct block_register<4> {
    static constexpr int most = 16;
    __mmask16 mask;
    __m512i order;
    explicit block_register(const block_order& o)
        : mask(static_cast<__mmask16>((1u << o.size) - 1)), order(_mm512_loadu_si512(o.at)) {}
    RICCI_INLINE void permute(std::byte* to, const std::byte* from) const {
        _mm512_mask_storeu_epi32(to, mask,
                                 _mm512_maskz_permutexvar_epi32(mask, order, _mm512_maskz_loadu_epi32(mask, from)));
    }
};
template <>
struct block_register<8> {
    static constexpr int most = 8;
    __mmask8 mask;
    __m512i order;
    explicit block_register(const block_order& o)
        : mask(static_cast<__mmask8>((1u << o.size) - 1)),
          order(_mm512_maskz_cvtepi32_epi64(mask, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(o.at)))) {}
    RICCI_INLINE void permute(std::byte* to, const std::byte* from) const {
        _mm512_mask_storeu_epi64(to, mask,
                                 _mm512_maskz_permutexvar_epi64(mask, order, _mm512_maskz_loadu_epi64(mask, from)));
    }
};
#elif defined(RICCI_PERMUTES_REGISTERS)
template <std::size_t Size>
struct block_register;
template <>
struct block_register<4> {
    static constexpr int most = 8;
    __m256i mask, order;
    explicit block_register(const block_order& o)
        : mask(_mm256_cmpgt_epi32(_mm256_set1_epi32(o.size), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))),
          order(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(o.at))) {}
    RICCI_INLINE void permute(std::byte* to, const std::byte* from) const {
        const __m256i x = _mm256_maskload_epi32(reinterpret_cast<const int*>(from), mask);
        _mm256_maskstore_epi32(reinterpret_cast<int*>(to), mask, _mm256_permutevar8x32_epi32(x, order));
    }
};
#endif

/// n blocks of elements of type U, so many bytes apart on either side.
template <class U>
void permute_blocks(const block_order& order, std::byte* to, index_t to_step, const std::byte* from, index_t from_step,
                    index_t n) {
#if defined(RICCI_PERMUTES_REGISTERS)
    if constexpr (requires { block_register<sizeof(U)>::most; })
        if (order.size <= block_register<sizeof(U)>::most) {
            const block_register<sizeof(U)> whole(order);
            for (; n > 0; --n, to += to_step, from += from_step) whole.permute(to, from);
            return;
        }
#endif
    constexpr index_t size = sizeof(U);
    for (; n > 0; --n, to += to_step, from += from_step)
        for (int i = 0; i < order.size; ++i) std::memcpy(to + i * size, from + order.at[i] * size, sizeof(U));
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
#undef RICCI_PERMUTES_REGISTERS
