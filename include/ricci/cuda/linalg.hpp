// Linear algebra on the device: cuSOLVER on a GPU; on Thrust's host systems, whose memory is the host's, the CPU's
// kernels.
#pragma once
#include "cusolver.hpp"
#include "executor.hpp"
#include "linalg_calls.hpp"

namespace ricci {

#if defined(RICCI_USE_CUSOLVER)
template <>
struct linalg_backend<cuda_device> : detail::linalg_by_calls<detail::cusolver_library> {};
#elif !defined(RICCI_HAS_GPU)
template <>
struct linalg_backend<cuda_device> {
#define RICCI_BY_CPU(name)                              \
    template <class... A>                               \
    static void name(const A&... a) {                   \
        RICCI_DEVICE_WORK(copy);                        \
        linalg_backend<cpu_device>::name(shared(a)...); \
    }
    RICCI_BY_CPU(solve)
    RICCI_BY_CPU(factor_and_solve)
    RICCI_BY_CPU(solve_transposed)
    RICCI_BY_CPU(solve_triangular)
    RICCI_BY_CPU(inverse)
    RICCI_BY_CPU(lu)
    RICCI_BY_CPU(lu_in_order)
    RICCI_BY_CPU(determinants)
    RICCI_BY_CPU(log_determinants)
    RICCI_BY_CPU(cofactors)
    RICCI_BY_CPU(cofactor_changes)
    RICCI_BY_CPU(cholesky)
    RICCI_BY_CPU(qr)
    RICCI_BY_CPU(eigh)
    RICCI_BY_CPU(svd)
    RICCI_BY_CPU(eig)
    RICCI_BY_CPU(exponential)
#undef RICCI_BY_CPU

   private:
    template <class T, int R>
    static tensor<T, R> shared(const tensor<T, R, cuda_device>& x) {
        return detail::as_on<cpu_device>(x);
    }
    template <class A>
    static const A& shared(const A& a) {
        return a;
    }
};
#endif

}  // namespace ricci
