// The second device: Thrust's device system, a GPU under nvcc and host threads elsewhere. Its memory, copies and
// launches.
#pragma once
#include <thrust/detail/config.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/version.h>

#include <atomic>
#include <cstring>
#include <type_traits>

#include "../core/tensor.hpp"

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#if !defined(__CUDACC__)
#error "ricci/cuda.hpp: compile with nvcc, or define THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP (ricci::thrust_host)"
#endif
#if defined(__NVCC__) && !defined(__CUDACC_RELAXED_CONSTEXPR__)
#error "ricci/cuda.hpp: nvcc needs --expt-relaxed-constexpr (CMake: link ricci::cuda)"
#endif
#define RICCI_HAS_GPU 1
#include <cuda_runtime_api.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>
#endif

namespace ricci {
namespace detail {

#if defined(RICCI_HAS_GPU)

/// All work is queued here, in order; memory is given back in that order too, so that nothing waits for a kernel.
inline cudaStream_t device_stream() { return cudaStreamLegacy; }

inline void check_cuda(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    cudaGetLastError();  // the next call is not blamed for it
    throw device_error(std::string("[cuda] ") + what + ": " + cudaGetErrorString(status));
}

/// The device that this thread's calls are for.
inline int current_device() {
    int device = 0;
    check_cuda(cudaGetDevice(&device), "cudaGetDevice");
    return device;
}

/// Up to here devices may have memory pools; the addresses mark blocks of these.
inline constexpr int most_pools = 64;
inline char pool_of_device[most_pools];

/// Whether a device has a memory pool of its own: then allocating and freeing costs no synchronisation.
inline bool has_memory_pool(int device) {
    enum : signed char { unknown, no, yes };
    static std::atomic<signed char> known[most_pools] = {};
    if (device >= most_pools) return false;
    if (const signed char answer = known[device].load(std::memory_order_relaxed); answer != unknown)
        return answer == yes;
    int supported = 0;
    cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device);
    cudaMemPool_t pool;
    std::uint64_t keep = ~std::uint64_t(0);
    const bool has = supported && cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess &&
                     cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep) == cudaSuccess;
    if (!has) cudaGetLastError();  // the next call is not blamed for it
    known[device].store(has ? yes : no, std::memory_order_relaxed);
    return has;
}
inline void release_device_memory(storage_block& block) {
    // errors are of no use here: at exit the runtime may be gone already
    if (!block.context) {
        static_cast<void>(cudaFree(block.data));
        return;
    }
    const int device = static_cast<int>(static_cast<char*>(block.context) - pool_of_device);
    int current = device;
    static_cast<void>(cudaGetDevice(&current));
    if (current != device) static_cast<void>(cudaSetDevice(device));  // behind that device's work
    static_cast<void>(cudaFreeAsync(block.data, device_stream()));
    if (current != device) static_cast<void>(cudaSetDevice(current));
}
inline storage allocate_device_memory(std::size_t bytes) {
    if (bytes == 0) return storage::external(nullptr, 0, nullptr, nullptr);
    void* data = nullptr;
    const int device = current_device();
    void* context = has_memory_pool(device) ? pool_of_device + device : nullptr;
    const cudaError_t status = context ? cudaMallocAsync(&data, bytes, device_stream()) : cudaMalloc(&data, bytes);
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw memory_error(bytes, 0, 0);
    }
    check_cuda(status, "cudaMalloc");
    try {
        return storage::external(data, bytes, release_device_memory, context);
    } catch (...) {
        cudaFree(data);
        throw;
    }
}

inline void upload(void* to, const void* from, std::size_t bytes) {
    if (bytes) check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy to the device");
}
inline void download(void* to, const void* from, std::size_t bytes) {
    if (bytes) check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy from the device");
}
inline void copy_on_device(void* to, const void* from, std::size_t bytes) {
    if (bytes) check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, device_stream()), "copy");
}

inline constexpr int warp_threads = 32, block_threads = 256;

/// The threads of warps have consecutive indices, which Thrust's for_each promises nobody.
template <int Each, class F>
__global__ void __launch_bounds__(block_threads) index_kernel(const __grid_constant__ F f, index_t n) {
    const index_t first = index_t(blockIdx.x) * (Each * block_threads) + threadIdx.x;
    RICCI_UNROLL
    for (int j = 0; j < Each; ++j)
        if (first + j * block_threads < n) f(first + j * block_threads);
}
/// The number of blocks for n threads.
inline unsigned block_count(index_t n) { return static_cast<unsigned>((n + block_threads - 1) / block_threads); }

/// Calls f(0) .. f(n - 1) on the device, in any order, at once or later; each thread, `Each` times.
template <int Each = 2, class F>
void launch(index_t n, const F& f) {
    if (n <= 0) return;
    index_kernel<Each><<<block_count((n + Each - 1) / Each), block_threads, 0, device_stream()>>>(f, n);
    check_cuda(cudaGetLastError(), "launch");
}

#else  // the device's memory is the host's

#if defined(RICCI_TEST_GUARDED_MEMORY)
// Memory that is apart as a GPU's is, for tests (tests/cuda/guarded_memory.cpp): while a work_scope of one kind lives.
storage allocate_device_memory(std::size_t bytes);
enum class device_work { none, kernel, copy };  // touches: the host's memory only; the device's only; both
class work_scope {
   public:
    explicit work_scope(device_work kind);
    work_scope(const work_scope&) = delete;
    work_scope& operator=(const work_scope&) = delete;
    ~work_scope();

   private:
    device_work before_;
};
#define RICCI_DEVICE_WORK(kind) const ricci::detail::work_scope ricci_work(ricci::detail::device_work::kind)
#else
inline storage allocate_device_memory(std::size_t bytes) { return storage::allocate(bytes); }
#define RICCI_DEVICE_WORK(kind) static_cast<void>(0)
#endif

inline void upload(void* to, const void* from, std::size_t bytes) {
    RICCI_DEVICE_WORK(copy);
    if (bytes) std::memcpy(to, from, bytes);
}
inline void download(void* to, const void* from, std::size_t bytes) { upload(to, from, bytes); }
inline void copy_on_device(void* to, const void* from, std::size_t bytes) {
    RICCI_DEVICE_WORK(kernel);
    if (bytes) std::memcpy(to, from, bytes);
}
template <int Each = 2, class F>
void launch(index_t n, const F& f) {
    RICCI_DEVICE_WORK(kernel);
    if (n > 0) thrust::for_each_n(thrust::device, thrust::counting_iterator<index_t>(0), n, f);
}

#endif

}  // namespace detail

/// Thrust's device system: a GPU when nvcc compiles, host threads otherwise.
struct cuda_device {
    static constexpr const char* name = "cuda";
    /// Throws memory_error (a std::bad_alloc) when memory does not suffice, device_error when there is no device.
    static storage allocate(std::size_t bytes) { return detail::allocate_device_memory(bytes); }
};
inline constexpr cuda_device cuda{};

/// Returns when everything queued on the device is done. Reading a value (`item()`, `to(cpu)`) waits by itself. Throws
/// device_error for an error of the work itself.
inline void synchronize(cuda_device) {
#if defined(RICCI_HAS_GPU)
    detail::check_cuda(cudaStreamSynchronize(detail::device_stream()), "synchronize");
#endif
}

/// The copy of a tensor on the other device; contiguous.
template <class To, class T, int R>
    requires(std::is_same_v<To, cuda_device>)
tensor<std::remove_const_t<T>, R, cuda_device> transfer(const tensor<T, R, cpu_device>& x) {
    using U = std::remove_const_t<T>;
    if (!x.is_contiguous()) return transfer<To>(x.clone());
    auto y = tensor<U, R, cuda_device>::uninitialized(x.shape());
    detail::upload(y.data(), x.data(), static_cast<std::size_t>(x.size()) * sizeof(U));
    return y;
}
template <class To, class T, int R>
    requires(std::is_same_v<To, cpu_device>)
tensor<std::remove_const_t<T>, R, cpu_device> transfer(const tensor<T, R, cuda_device>& x) {
    using U = std::remove_const_t<T>;
    if (!x.is_contiguous()) return transfer<To>(x.clone());
    auto y = tensor<U, R, cpu_device>::uninitialized(x.shape());
    detail::download(y.data(), x.data(), static_cast<std::size_t>(x.size()) * sizeof(U));
    return y;
}

#if !defined(RICCI_HAS_GPU)
namespace detail {

/// The same elements as a tensor of the other device, whose memory this is too, where a kernel of the CPU's serves
/// both.
template <class To, class T, int R, class From>
tensor<T, R, To> as_on(const tensor<T, R, From>& x) {
    return tensor<T, R, To>(x.memory(), x.data(), x.shape(), x.strides());
}

}  // namespace detail
#endif
}  // namespace ricci
