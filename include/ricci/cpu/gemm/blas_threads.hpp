// The number of threads of a BLAS that has its own, where it can be told: OpenBLAS, whether for CBLAS or for LAPACK.
#pragma once
#include "../thread_pool.hpp"

#if (defined(RICCI_USE_CBLAS) || defined(RICCI_USE_LAPACK)) && defined(__ELF__)
extern "C" __attribute__((weak)) void openblas_set_num_threads(int);  // null where another library is linked

namespace ricci::detail {
/// Before main; until the number of threads is set, OpenBLAS's own rules hold.
inline const bool blas_is_told = [] {
    if (openblas_set_num_threads) tell_threads(openblas_set_num_threads);
    return true;
}();
}  // namespace ricci::detail
#endif
