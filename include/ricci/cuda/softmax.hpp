// Sums of exponentials along rows on the GPU: softmax, log_softmax, logsumexp. A group of threads reads each row, which
// stays in the cache for the times that it is read again.
#pragma once
#include "groups.hpp"
#include "lane.hpp"

namespace ricci::detail {

#if defined(RICCI_HAS_GPU)

/// The first thread's value for all of a group, as join_lanes has groups.
template <class T>
__device__ T of_first_lane(T x, int lanes) {
    if (lanes <= warp_threads) return __shfl_sync(~0u, x, static_cast<int>(threadIdx.x) % warp_threads / lanes * lanes);
    __shared__ T value;
    __syncthreads();
    if (threadIdx.x == 0) value = x;
    __syncthreads();
    return value;
}

enum class exponentials { softmax, log_softmax, logsumexp };

/// Of `rows` dense rows of n elements; `lanes` threads, a power of two up to those of a warp or all of a block, take
/// each.
template <exponentials Of, class T>
__global__ void __launch_bounds__(block_threads)
    exponentials_kernel(const T* x, T* y, index_t rows, index_t n, int lanes) {
    const index_t thread = index_t(blockIdx.x) * block_threads + threadIdx.x, row = thread / lanes;
    const int first = static_cast<int>(thread % lanes);
    const index_t end = row < rows ? n : 0;
    const T* const from = x + row * n;

    wide_accumulator<combine_maximum, T> largest;
#pragma unroll 4
    for (index_t i = first; i < end; i += lanes) largest.add(from[i]);
    join_lanes(largest, lanes);
    const T most = of_first_lane(largest.result(), lanes);
    // as ops/softmax.hpp: infinities of logsumexp come out as they must
    const T shift = Of != exponentials::logsumexp || abs(most) < std::numeric_limits<T>::infinity() ? most : T(0);

    wide_accumulator<combine_plus, T> sum;
#pragma unroll 4
    for (index_t i = first; i < end; i += lanes) sum.add(exp(from[i] - shift));
    join_lanes(sum, lanes);
    const T total = of_first_lane(sum.result(), lanes);

    if constexpr (Of == exponentials::logsumexp) {
        if (first == 0 && row < rows) y[row] = log(total) + shift;
    } else {
        const T logarithm = Of == exponentials::log_softmax ? log(total) : T(0);
        T* const to = y + row * n;
#pragma unroll 4
        for (index_t i = first; i < end; i += lanes) {
            if constexpr (Of == exponentials::softmax) to[i] = exp(from[i] - shift) / total;
            else to[i] = from[i] - shift - logarithm;
        }
    }
}

struct device_softmax {
    template <class T>
    static constexpr bool has_softmax = std::is_same_v<T, float> || std::is_same_v<T, double>;

    /// softmax along the last axis, or its logarithm, into y, which is new.
    template <bool Logarithm, class X, class Y>
    static void softmax(const X& x, const Y& y, int) {
        run<Logarithm ? exponentials::log_softmax : exponentials::softmax>(x, y);
    }
    template <class X, class Y>
    static void log_sum_exp(const X& x, const Y& y, int) {
        run<exponentials::logsumexp>(x, y);
    }

   private:
    template <exponentials Of, class X, class Y>
    static void run(const X& x, const Y& y) {
        using T = typename X::value_type;
        if (x.size() == 0) return;
        const auto dense = dense_of(x);
        const index_t n = x.shape()[X::rank - 1], rows = x.size() / n;
        int lanes = 1;
        while (lanes < warp_threads && 8 * lanes <= n) lanes *= 2;
        if (n >= 1024) lanes = block_threads;
        exponentials_kernel<Of, T>
            <<<block_count(rows * lanes), block_threads, 0, device_stream()>>>(dense.data(), y.data(), rows, n, lanes);
        check_cuda(cudaGetLastError(), "launch of softmax");
    }
};

#else  // by maps and sums

struct device_softmax {};

#endif

}  // namespace ricci::detail
