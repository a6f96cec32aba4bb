// Matrix products by cuBLAS, for float, double and their complex numbers.
#pragma once
#include "by_device.hpp"
#include "gemm_plan.hpp"

#if defined(RICCI_USE_CUBLAS)
#if !defined(RICCI_HAS_GPU)
#error "RICCI_USE_CUBLAS needs nvcc and Thrust's CUDA system"
#endif
#include <cublas_v2.h>

namespace ricci::detail {

inline void check_cublas(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS)
        throw device_error(std::string("[cublas] ") + what + ": " + cublasGetStatusString(status));
}

/// cuBLAS wants a handle for each thread that calls it and each device that it calls it for.
class cublas_context {
   public:
    cublas_context() {
        check_cublas(cublasCreate(&handle_), "cublasCreate");
        check_cublas(cublasSetStream(handle_, device_stream()), "cublasSetStream");
    }
    cublas_context(const cublas_context&) = delete;
    cublas_context& operator=(const cublas_context&) = delete;
    ~cublas_context() { cublasDestroy(handle_); }
    static cublasHandle_t handle() {
        static thread_local by_device<const cublas_context> contexts;
        return contexts[current_device()].handle_;
    }

   private:
    cublasHandle_t handle_ = nullptr;
};

template <class B, class T>
const B* blas_pointer(const T* p) {
    return reinterpret_cast<const B*>(p);
}
#define RICCI_CUBLAS_GEMM(T, B, function)                                                                              \
    inline void cublas_gemm(const gemm_call& g, const T* a, const T* b, T* c) {                                        \
        const T one(1), zero(0);                                                                                       \
        const auto op_a = g.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N, op_b = g.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N; \
        check_cublas(function(cublas_context::handle(), op_a, op_b, g.m, g.n, g.k, blas_pointer<B>(&one),              \
                              blas_pointer<B>(a), g.lda, g.a_step, blas_pointer<B>(b), g.ldb, g.b_step,                \
                              blas_pointer<B>(&zero), reinterpret_cast<B*>(c), g.ldc, g.c_step, g.batch),              \
                     #function);                                                                                       \
    }
RICCI_CUBLAS_GEMM(float, float, cublasSgemmStridedBatched_64)
RICCI_CUBLAS_GEMM(double, double, cublasDgemmStridedBatched_64)
RICCI_CUBLAS_GEMM(std::complex<float>, cuComplex, cublasCgemmStridedBatched_64)
RICCI_CUBLAS_GEMM(std::complex<double>, cuDoubleComplex, cublasZgemmStridedBatched_64)
#undef RICCI_CUBLAS_GEMM

/// c = a b, none of them empty.
template <class A, class B, class C>
void cublas_matmul(const A& a, const B& b, const C& c) {
    for_each_gemm(a, b, c,
                  [](const gemm_call& call, const auto* x, const auto* y, auto* z) { cublas_gemm(call, x, y, z); });
}

}  // namespace ricci::detail
#endif
