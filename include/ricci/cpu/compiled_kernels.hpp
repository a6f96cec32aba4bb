// The templates that ricci::compiled has where its instruction set is the unit's: what the kernels of common element
// types share.
#pragma once
#include "gemm.hpp"
#include "row.hpp"

#if defined(RICCI_COMPILED_KERNELS)
namespace ricci::detail {
inline namespace RICCI_ISA {

RICCI_COMPILED_TEMPLATE void copy_items<std::int32_t>(std::byte*, index_t, const std::byte*, index_t, index_t);
RICCI_COMPILED_TEMPLATE void copy_items<std::int64_t>(std::byte*, index_t, const std::byte*, index_t, index_t);
RICCI_COMPILED_TEMPLATE void copy_rows<std::int32_t>(bool, const row_pairs&, index_t);
RICCI_COMPILED_TEMPLATE void copy_rows<std::int64_t>(bool, const row_pairs&, index_t);
#if defined(RICCI_HAS_SIMD)
RICCI_COMPILED_TEMPLATE struct simd_row<float, void>;
RICCI_COMPILED_TEMPLATE void simd_row<float, void>::run<true>(const void*, const row_args&);
RICCI_COMPILED_TEMPLATE void simd_row<float, void>::run<false>(const void*, const row_args&);
RICCI_COMPILED_TEMPLATE struct simd_row<float, combine_plus>;
RICCI_COMPILED_TEMPLATE void simd_row<float, combine_plus>::run<true>(const void*, const row_args&);
RICCI_COMPILED_TEMPLATE void simd_row<float, combine_plus>::run<false>(const void*, const row_args&);
#if !defined(RICCI_USE_CBLAS)
RICCI_COMPILED_TEMPLATE void gemm(const gemm_problem<float>&);
RICCI_COMPILED_TEMPLATE void gemm_batch<float>::run();
#endif
#if !defined(__ARM_NEON) || defined(__aarch64__)
RICCI_COMPILED_TEMPLATE struct simd_row<double, void>;
RICCI_COMPILED_TEMPLATE void simd_row<double, void>::run<true>(const void*, const row_args&);
RICCI_COMPILED_TEMPLATE void simd_row<double, void>::run<false>(const void*, const row_args&);
RICCI_COMPILED_TEMPLATE struct simd_row<double, combine_plus>;
RICCI_COMPILED_TEMPLATE void simd_row<double, combine_plus>::run<true>(const void*, const row_args&);
RICCI_COMPILED_TEMPLATE void simd_row<double, combine_plus>::run<false>(const void*, const row_args&);
#if !defined(RICCI_USE_CBLAS)
RICCI_COMPILED_TEMPLATE void gemm(const gemm_problem<double>&);
RICCI_COMPILED_TEMPLATE void gemm_batch<double>::run();
#endif
#endif
#endif

}  // namespace RICCI_ISA
}  // namespace ricci::detail
#endif
