// Decompositions by cuSOLVER, triangular systems by cuBLAS: RICCI_USE_CUSOLVER (CMake: ricci::cusolver).
#pragma once
#include "by_device.hpp"
#include "cublas.hpp"
#include "linalg_calls.hpp"

#if defined(RICCI_USE_CUSOLVER)
#if !defined(RICCI_USE_CUBLAS)
#error "RICCI_USE_CUSOLVER needs RICCI_USE_CUBLAS too (CMake: ricci::cusolver)"
#endif
#include <cusolverDn.h>

#include <vector>

namespace ricci::detail {

inline void check_cusolver(cusolverStatus_t status, const char* what) {
    if (status != CUSOLVER_STATUS_SUCCESS)
        throw device_error(std::string("[cusolver] ") + what + ": status " + std::to_string(static_cast<int>(status)));
}

/// cuSOLVER wants a handle for each thread that calls it and each device that it calls it for.
class cusolver_context {
   public:
    cusolver_context() {
        check_cusolver(cusolverDnCreate(&handle_), "cusolverDnCreate");
        check_cusolver(cusolverDnSetStream(handle_, device_stream()), "cusolverDnSetStream");
        check_cusolver(cusolverDnCreateParams(&params_), "cusolverDnCreateParams");
    }
    cusolver_context(const cusolver_context&) = delete;
    cusolver_context& operator=(const cusolver_context&) = delete;
    ~cusolver_context() {
        if (params_) cusolverDnDestroyParams(params_);
        if (handle_) cusolverDnDestroy(handle_);
    }
    static const cusolver_context& instance() {
        static thread_local by_device<const cusolver_context> contexts;
        return contexts[current_device()];
    }
    cusolverDnHandle_t handle() const { return handle_; }
    cusolverDnParams_t params() const { return params_; }

   private:
    cusolverDnHandle_t handle_ = nullptr;
    cusolverDnParams_t params_ = nullptr;
};

template <class T>
inline constexpr cudaDataType cuda_type_v = [] {
    constexpr bool wide = sizeof(real_t<T>) == 8;
    if (is_complex_v<T>) return wide ? CUDA_C_64F : CUDA_C_32F;
    return wide ? CUDA_R_64F : CUDA_R_32F;
}();

/// Memory that a call works in, on the device and on the host.
class cusolver_work {
   public:
    std::size_t device_bytes = 0, host_bytes = 0;

    void allocate() {
        device_ = allocate_device_memory(device_bytes);
        host_.resize(host_bytes);
    }
    void* on_device() const { return device_.data(); }
    void* on_host() { return host_.data(); }
    /// The host's part must live until the work that reads it is done.
    ~cusolver_work() {
        if (host_bytes > 0) cudaStreamSynchronize(device_stream());
    }

   private:
    storage device_;
    std::vector<char> host_;
};

#define RICCI_CUSOLVER_FORM_Q(T, B, function)                                                                        \
    inline void cusolver_form_q(int m, int n, int k, T* a, const T* tau, int* info) {                                \
        const cusolverDnHandle_t handle = cusolver_context::instance().handle();                                     \
        int length = 0;                                                                                              \
        check_cusolver(function##_bufferSize(handle, m, n, k, blas_pointer<B>(a), m, blas_pointer<B>(tau), &length), \
                       #function "_bufferSize");                                                                     \
        const storage work = allocate_device_memory(static_cast<std::size_t>(length) * sizeof(T));                   \
        check_cusolver(function(handle, m, n, k, reinterpret_cast<B*>(a), m, blas_pointer<B>(tau),                   \
                                static_cast<B*>(work.data()), length, info),                                         \
                       #function);                                                                                   \
    }
RICCI_CUSOLVER_FORM_Q(float, float, cusolverDnSorgqr)
RICCI_CUSOLVER_FORM_Q(double, double, cusolverDnDorgqr)
RICCI_CUSOLVER_FORM_Q(std::complex<float>, cuComplex, cusolverDnCungqr)
RICCI_CUSOLVER_FORM_Q(std::complex<double>, cuDoubleComplex, cusolverDnZungqr)
#undef RICCI_CUSOLVER_FORM_Q

#define RICCI_CUBLAS_TRSM(T, B, function)                                                                         \
    inline void cublas_solve_triangle_from_right(bool upper, bool unit, index_t m, index_t n, const T* a, T* x) { \
        const T one(1);                                                                                           \
        check_cublas(function(cublas_context::handle(), CUBLAS_SIDE_RIGHT,                                        \
                              upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,               \
                              unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, m, n, blas_pointer<B>(&one),        \
                              blas_pointer<B>(a), n, reinterpret_cast<B*>(x), m),                                 \
                     #function);                                                                                  \
    }
RICCI_CUBLAS_TRSM(float, float, cublasStrsm_64)
RICCI_CUBLAS_TRSM(double, double, cublasDtrsm_64)
RICCI_CUBLAS_TRSM(std::complex<float>, cuComplex, cublasCtrsm_64)
RICCI_CUBLAS_TRSM(std::complex<double>, cuDoubleComplex, cublasZtrsm_64)
#undef RICCI_CUBLAS_TRSM

#define RICCI_CUBLAS_LU_OF_MANY(T, B, factor, solve)                                                     \
    inline cublasStatus_t cublas_factor_many(int count, int n, T** a, int* pivots, int* info) {          \
        return factor(cublas_context::handle(), n, reinterpret_cast<B**>(a), n, pivots, info, count);    \
    }                                                                                                    \
    inline cublasStatus_t cublas_solve_many(int count, cublasOperation_t op, int n, int columns, T** lu, \
                                            const int* pivots, T** x, int* info) {                       \
        return solve(cublas_context::handle(), op, n, columns, reinterpret_cast<B**>(lu), n, pivots,     \
                     reinterpret_cast<B**>(x), n, info, count);                                          \
    }
RICCI_CUBLAS_LU_OF_MANY(float, float, cublasSgetrfBatched, cublasSgetrsBatched)
RICCI_CUBLAS_LU_OF_MANY(double, double, cublasDgetrfBatched, cublasDgetrsBatched)
RICCI_CUBLAS_LU_OF_MANY(std::complex<float>, cuComplex, cublasCgetrfBatched, cublasCgetrsBatched)
RICCI_CUBLAS_LU_OF_MANY(std::complex<double>, cuDoubleComplex, cublasZgetrfBatched, cublasZgetrsBatched)
#undef RICCI_CUBLAS_LU_OF_MANY

/// What linalg_by_calls wants of a library: one dense column-major matrix each; pivots count from 1.
struct cusolver_library {
    template <class T>
    static void lu(index_t m, index_t n, T* a, index_t* pivots, int* info) {
        const auto& c = cusolver_context::instance();
        cusolver_work work;
        check_cusolver(cusolverDnXgetrf_bufferSize(c.handle(), c.params(), m, n, cuda_type_v<T>, a, m, cuda_type_v<T>,
                                                   &work.device_bytes, &work.host_bytes),
                       "cusolverDnXgetrf_bufferSize");
        work.allocate();
        check_cusolver(
            cusolverDnXgetrf(c.handle(), c.params(), m, n, cuda_type_v<T>, a, m, as_int64(pivots), cuda_type_v<T>,
                             work.on_device(), work.device_bytes, work.on_host(), work.host_bytes, info),
            "cusolverDnXgetrf");
    }
    /// x = A^-1 x, or of A's transpose.
    template <class T>
    static void solve_lu(bool transpose, index_t n, index_t columns, const T* lu, const index_t* pivots, T* x) {
        const auto& c = cusolver_context::instance();
        const device_failures unused(1);
        check_cusolver(cusolverDnXgetrs(c.handle(), c.params(), transpose ? CUBLAS_OP_T : CUBLAS_OP_N, n, columns,
                                        cuda_type_v<T>, lu, n, as_int64(pivots), cuda_type_v<T>, x, n, unused.at(0)),
                       "cusolverDnXgetrs");
    }
    /// The same of many small matrices at once, which pointers on the device say.
    template <class T>
    static void lu_of_many(index_t count, index_t n, T** a, int* pivots, int* info) {
        check_cublas(cublas_factor_many(static_cast<int>(count), static_cast<int>(n), a, pivots, info),
                     "cublasgetrfBatched");
    }
    template <class T>
    static void solve_lu_of_many(index_t count, bool transpose, index_t n, index_t columns, T** lu, const int* pivots,
                                 T** x) {
        int info = 0;  // of the arguments
        check_cublas(cublas_solve_many(static_cast<int>(count), transpose ? CUBLAS_OP_T : CUBLAS_OP_N,
                                       static_cast<int>(n), static_cast<int>(columns), lu, pivots, x, &info),
                     "cublasgetrsBatched");
    }
    /// x = x A^-1 for x of m rows and a triangle of n.
    template <class T>
    static void solve_triangle_from_right(bool upper, bool unit, index_t m, index_t n, const T* a, T* x) {
        cublas_solve_triangle_from_right(upper, unit, m, n, a, x);
    }
    /// a = U of A = U^H U, of which the upper triangle is read.
    template <class T>
    static void cholesky_upper(index_t n, T* a, int* info) {
        const auto& c = cusolver_context::instance();
        cusolver_work work;
        check_cusolver(cusolverDnXpotrf_bufferSize(c.handle(), c.params(), CUBLAS_FILL_MODE_UPPER, n, cuda_type_v<T>, a,
                                                   n, cuda_type_v<T>, &work.device_bytes, &work.host_bytes),
                       "cusolverDnXpotrf_bufferSize");
        work.allocate();
        check_cusolver(
            cusolverDnXpotrf(c.handle(), c.params(), CUBLAS_FILL_MODE_UPPER, n, cuda_type_v<T>, a, n, cuda_type_v<T>,
                             work.on_device(), work.device_bytes, work.on_host(), work.host_bytes, info),
            "cusolverDnXpotrf");
    }
    /// a = R above the reflectors, whose factors go to tau.
    template <class T>
    static void qr(index_t m, index_t n, T* a, T* tau) {
        const auto& c = cusolver_context::instance();
        const device_failures unused(1);
        cusolver_work work;
        check_cusolver(cusolverDnXgeqrf_bufferSize(c.handle(), c.params(), m, n, cuda_type_v<T>, a, m, cuda_type_v<T>,
                                                   tau, cuda_type_v<T>, &work.device_bytes, &work.host_bytes),
                       "cusolverDnXgeqrf_bufferSize");
        work.allocate();
        check_cusolver(
            cusolverDnXgeqrf(c.handle(), c.params(), m, n, cuda_type_v<T>, a, m, cuda_type_v<T>, tau, cuda_type_v<T>,
                             work.on_device(), work.device_bytes, work.on_host(), work.host_bytes, unused.at(0)),
            "cusolverDnXgeqrf");
    }
    /// a, whose first k columns have reflectors, = the first n columns of Q.
    template <class T>
    static void form_q(index_t m, index_t n, index_t k, T* a, const T* tau) {
        const device_failures unused(1);
        cusolver_form_q(static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), a, tau, unused.at(0));
    }
    /// a = the eigenvectors, where they are wanted; the upper triangle is read.
    template <class T>
    static void eigh_upper(bool vectors, index_t n, T* a, real_t<T>* w, int* info) {
        const auto& c = cusolver_context::instance();
        const auto mode = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
        constexpr cudaDataType real = cuda_type_v<real_t<T>>;
        cusolver_work work;
        check_cusolver(
            cusolverDnXsyevd_bufferSize(c.handle(), c.params(), mode, CUBLAS_FILL_MODE_UPPER, n, cuda_type_v<T>, a, n,
                                        real, w, cuda_type_v<T>, &work.device_bytes, &work.host_bytes),
            "cusolverDnXsyevd_bufferSize");
        work.allocate();
        check_cusolver(cusolverDnXsyevd(c.handle(), c.params(), mode, CUBLAS_FILL_MODE_UPPER, n, cuda_type_v<T>, a, n,
                                        real, w, cuda_type_v<T>, work.on_device(), work.device_bytes, work.on_host(),
                                        work.host_bytes, info),
                       "cusolverDnXsyevd");
    }
    /// Of m >= n; all columns of U, or the first n of them.
    template <class T>
    static void svd(bool vectors, bool all, index_t m, index_t n, T* a, real_t<T>* s, T* u, T* vh, int* info) {
        const auto& c = cusolver_context::instance();
        const auto job = static_cast<signed char>(vectors ? all ? 'A' : 'S' : 'N');
        constexpr cudaDataType type = cuda_type_v<T>, real = cuda_type_v<real_t<T>>;
        cusolver_work work;
        check_cusolver(cusolverDnXgesvd_bufferSize(c.handle(), c.params(), job, job, m, n, type, a, m, real, s, type, u,
                                                   m, type, vh, n, type, &work.device_bytes, &work.host_bytes),
                       "cusolverDnXgesvd_bufferSize");
        work.allocate();
        check_cusolver(
            cusolverDnXgesvd(c.handle(), c.params(), job, job, m, n, type, a, m, real, s, type, u, m, type, vh, n, type,
                             work.on_device(), work.device_bytes, work.on_host(), work.host_bytes, info),
            "cusolverDnXgesvd");
    }

   private:
    static_assert(sizeof(index_t) == sizeof(std::int64_t));
    static std::int64_t* as_int64(index_t* p) { return reinterpret_cast<std::int64_t*>(p); }
    static const std::int64_t* as_int64(const index_t* p) { return reinterpret_cast<const std::int64_t*>(p); }
};

}  // namespace ricci::detail
#endif
