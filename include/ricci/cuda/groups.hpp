// Groups of neighbouring threads that join what each of them found. Where there is no GPU a group has one thread.
#pragma once
#include "device.hpp"

namespace ricci::detail {

#if defined(RICCI_HAS_GPU)

/// What the thread `distance` places further on in the warp has.
template <class T>
__device__ T from_later_thread(const T& x, int distance) {
    constexpr int count = (sizeof(T) + 3) / 4;
    unsigned word[count] = {};
    memcpy(word, &x, sizeof(T));
    for (int i = 0; i < count; ++i) word[i] = __shfl_down_sync(~0u, word[i], distance);
    T y;
    memcpy(&y, word, sizeof(T));
    return y;
}
/// The first of each group of `lanes` threads, a power of two up to those of a warp or all of a block, gets the join of
/// all. All threads of the block must come here.
template <class Accumulator>
__device__ void join_lanes(Accumulator& total, int lanes) {
    for (int d = (lanes < warp_threads ? lanes : warp_threads) / 2; d > 0; d /= 2)
        total.add(from_later_thread(total, d));
    if (lanes <= warp_threads) return;
    constexpr int warps = block_threads / warp_threads;
    __shared__ alignas(Accumulator) unsigned char memory[warps * sizeof(Accumulator)];
    const auto shared = reinterpret_cast<Accumulator*>(memory);
    const int thread = static_cast<int>(threadIdx.x);
    __syncthreads();  // what was joined before has been read
    if (thread % warp_threads == 0) shared[thread / warp_threads] = total;
    __syncthreads();
    if (thread >= warp_threads) return;
    total = thread < warps ? shared[thread] : Accumulator();
    for (int d = warps / 2; d > 0; d /= 2) total.add(from_later_thread(total, d));
}

template <class Kernel>
__global__ void __launch_bounds__(block_threads) group_kernel(const __grid_constant__ Kernel kernel, index_t threads) {
    const index_t thread = index_t(blockIdx.x) * block_threads + threadIdx.x;
    auto totals = kernel.begin();
    if (thread < threads) kernel.gather(thread, totals);
    for_indices<Kernel::outputs>([&](auto k) {
        if (kernel.plan.lanes > 1) join_lanes(get<k()>(totals), kernel.plan.lanes);
    });
    if (thread < threads && kernel.plan.is_first(thread)) kernel.finish(thread, totals);
}
/// Calls, for each of `threads` threads, totals = kernel.begin() and kernel.gather(thread, totals), and for the first
/// of each of the plan's groups, whose totals are joined, kernel.finish(thread, totals).
template <class Kernel>
void launch_groups(index_t threads, const Kernel& kernel) {
    if (threads == 0) return;
    group_kernel<<<block_count(threads), block_threads, 0, device_stream()>>>(kernel, threads);
    check_cuda(cudaGetLastError(), "launch of a reduction");
}

#else

template <class Kernel>
void launch_groups(index_t threads, const Kernel& kernel) {
    launch(threads, [kernel](index_t thread) {
        auto totals = kernel.begin();
        kernel.gather(thread, totals);
        kernel.finish(thread, totals);
    });
}

#endif

}  // namespace ricci::detail
