// Rows of the GPU's table: contestants compute the same result on the device, are compared, then timed by turns.
#pragma once
#include <ricci/cuda.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace bench {

namespace rc = ricci;
using rc::index_t;
template <class T, int R = 1>
using device_tensor = rc::tensor<T, R, rc::cuda_device>;

inline void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("CUDA: %s\n", cudaGetErrorString(status));
    std::exit(1);
}

/// n normally distributed numbers on the device.
template <class T, int R>
device_tensor<T, R> normal(const rc::shape<R>& extents, std::uint64_t seed) {
    rc::generator g(seed);
    return rc::randn<T>(extents, g, rc::cuda);
}
template <class T, int R>
device_tensor<T> flat(const device_tensor<T, R>& x) {
    return rc::reshape(x, {x.size()});
}

/// Microseconds of the device between the beginning and the end of `calls` calls, per call.
template <class F>
double microseconds(const F& f, int calls) {
    static const auto events = [] {
        std::pair<cudaEvent_t, cudaEvent_t> e;
        check(cudaEventCreate(&e.first));
        check(cudaEventCreate(&e.second));
        return e;
    }();
    check(cudaEventRecord(events.first, cudaStreamLegacy));
    for (int i = 0; i < calls; ++i) f();
    check(cudaEventRecord(events.second, cudaStreamLegacy));
    check(cudaEventSynchronize(events.second));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, events.first, events.second));
    return 1000.0 * ms / calls;
}

/// A way to compute a row's result.
template <class T>
struct contestant {
    const char* name;
    std::function<device_tensor<T>()> run;
};

/// How many elements of `result` differ from `expected` by more than `tolerance` times the largest of these.
template <class T>
index_t count_wrong(const device_tensor<T>& result, const device_tensor<T>& expected, double tolerance) {
    const auto a = result.to(rc::cpu), b = expected.to(rc::cpu);
    if (a.size() != b.size()) return std::max(a.size(), b.size());
    double most = 0;
    for (index_t i = 0; i < b.size(); ++i) most = std::max(most, double(std::abs(b.data()[i])));
    index_t wrong = 0;
    for (index_t i = 0; i < b.size(); ++i) wrong += !(double(std::abs(a.data()[i] - b.data()[i])) <= tolerance * most);
    return wrong;
}

/// Prints a line of the table: the median time of the first contestant, its bandwidth where `bytes` tells what must be
/// moved, and how many times as long as each other one it takes.
template <class T>
void row(const std::string& name, double bytes, double tolerance, const std::vector<contestant<T>>& contestants) {
    std::vector<std::vector<double>> times(contestants.size());
    std::vector<int> calls;
    std::string wrong;
    try {
        const auto first = contestants[0].run();
        for (const auto& c : contestants) {
            const index_t n = count_wrong(first, c.run(), tolerance);
            if (n) wrong += std::string(" DIFFERS from ") + c.name + " in " + std::to_string(n);
            microseconds(c.run, 2);
            calls.push_back(static_cast<int>(std::clamp(1000 / microseconds(c.run, 3), 1.0, 100.0)));
        }
        for (int round = 0; round < 9; ++round)
            for (std::size_t i = 0; i < contestants.size(); ++i)
                times[i].push_back(microseconds(contestants[i].run, calls[i]));
    } catch (const std::exception& e) {
        std::printf("| %s | FAILED: %s |\n", name.c_str(), e.what());
        std::fflush(stdout);
        cudaGetLastError();
        return;
    }
    for (auto& t : times) std::nth_element(t.begin(), t.begin() + 4, t.end());
    std::printf("| %s | %.1f |", name.c_str(), times[0][4]);
    if (bytes > 0) std::printf(" %.0f GB/s |", bytes / times[0][4] / 1000);
    else std::printf(" |");
    for (std::size_t i = 1; i < times.size(); ++i)
        std::printf(" %s %.2f", contestants[i].name, times[0][4] / times[i][4]);
    std::printf(" |%s\n", wrong.c_str());
    std::fflush(stdout);
}

}  // namespace bench
