// What cuBLAS, cuFFT, CUB and Thrust do under Ricci's functions beside direct calls of them.
#include <cublas_v2.h>
#include <cufft.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "bench.hpp"

namespace {

using namespace bench;

void require(int status, const char* what) {
    if (status == 0) return;
    std::printf("%s: status %d\n", what, status);
    std::exit(1);
}
/// Memory of the device that stays.
device_tensor<std::uint8_t> scratch(std::size_t bytes) {
    return rc::empty<std::uint8_t>({static_cast<index_t>(bytes) + 1}, rc::cuda);
}

template <class T>
void products(const char* type, index_t n) {
    const auto a = normal<T>(rc::shape{n, n}, 1), b = normal<T>(rc::shape{n, n}, 2), c = rc::empty<T>({n, n}, rc::cuda);
    cublasHandle_t handle;
    require(cublasCreate(&handle), "cublasCreate");
    require(cublasSetStream(handle, cudaStreamLegacy), "cublasSetStream");
    const int m = static_cast<int>(n);
    const T one = 1, zero = 0;
    row<T>("matmul " + std::string(type) + " " + std::to_string(n), 0, 1e-5,
           {{"ricci", [&] { return flat(rc::matmul(a, b)); }},
            {"cuBLAS", [&] {
                 if constexpr (sizeof(T) == 4)
                     require(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &one, b.data(), m, a.data(), m,
                                         &zero, c.data(), m),
                             "gemm");
                 else
                     require(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &one, b.data(), m, a.data(), m,
                                         &zero, c.data(), m),
                             "gemm");
                 return flat(c);
             }}});
    cublasDestroy(handle);
}
void transforms() {
    using C = std::complex<float>;
    constexpr index_t lines = 4096, n = 4096;
    const auto re = normal<float>(rc::shape{lines, n}, 1), im = normal<float>(rc::shape{lines, n}, 2);
    const auto z = rc::evaluate(rc::complex(re, im)), y = rc::empty<C>({lines, n}, rc::cuda);
    const auto half = rc::empty<C>({lines, n / 2 + 1}, rc::cuda);
    cufftHandle plan, real_plan;
    int length = n;
    require(cufftPlanMany(&plan, 1, &length, nullptr, 1, n, nullptr, 1, n, CUFFT_C2C, lines), "plan");
    require(cufftPlanMany(&real_plan, 1, &length, nullptr, 1, n, nullptr, 1, n / 2 + 1, CUFFT_R2C, lines), "plan");
    for (const auto p : {plan, real_plan}) require(cufftSetStream(p, cudaStreamLegacy), "stream");
    const double bytes = 8.0 * lines * n;
    row<C>("fft of rows 4096x4096, complex64", 2 * bytes, 1e-5,
           {{"ricci", [&] { return flat(rc::fft::fft(z)); }},
            {"cuFFT", [&] {
                 require(cufftExecC2C(plan, reinterpret_cast<cufftComplex*>(z.data()),
                                      reinterpret_cast<cufftComplex*>(y.data()), CUFFT_FORWARD),
                         "fft");
                 return flat(y);
             }}});
    row<C>("rfft of rows 4096x4096, float", bytes, 1e-5,
           {{"ricci", [&] { return flat(rc::fft::rfft(re)); }},
            {"cuFFT", [&] {
                 require(cufftExecR2C(real_plan, re.data(), reinterpret_cast<cufftComplex*>(half.data())), "rfft");
                 return flat(half);
             }}});
    row<C>("fft2 4096x4096, complex64", 4 * bytes, 1e-5, {{"ricci", [&] { return flat(rc::fft::fft2(z)); }}});
}
void lines() {
    constexpr index_t n = index_t(1) << 26;
    const auto x = normal<float>(rc::shape{n}, 1), y = rc::empty<float>({n}, rc::cuda);
    std::size_t bytes = 0;
    check(cub::DeviceScan::InclusiveSum(nullptr, bytes, x.data(), y.data(), n));
    const auto memory = scratch(bytes);
    row<float>("cumulative_sum float 2^26", 8.0 * n, 1e-3,
               {{"ricci", [&] { return rc::evaluate(rc::cumulative_sum(x)); }},
                {"CUB", [&] {
                     check(cub::DeviceScan::InclusiveSum(memory.data(), bytes, x.data(), y.data(), n));
                     return y;
                 }}});
    const auto rows = rc::reshape(x, {8192, 8192});
    row<float>("cumulative_sum(x, 1) 8192x8192", 8.0 * n, 1e-3,
               {{"ricci", [&] { return flat(rc::evaluate(rc::cumulative_sum(rows, 1))); }}});
    row<float>("cumulative_sum(x, 0) 8192x8192", 8.0 * n, 1e-3,
               {{"ricci", [&] { return flat(rc::evaluate(rc::cumulative_sum(rows, 0))); }}});

    const auto some = x(rc::slice(0, n / 4)).clone(), sorted = rc::empty<float>({n / 4}, rc::cuda);
    std::size_t sort_bytes = 0;
    check(cub::DeviceRadixSort::SortKeys(nullptr, sort_bytes, some.data(), sorted.data(), n / 4));
    const auto sort_memory = scratch(sort_bytes);
    row<float>(
        "sort float 2^24", 2.0 * n, 0,
        {{"ricci", [&] { return rc::evaluate(rc::sort(some)); }},
         {"CUB", [&] {
              check(cub::DeviceRadixSort::SortKeys(sort_memory.data(), sort_bytes, some.data(), sorted.data(), n / 4));
              return sorted;
          }}});
    const auto places = rc::empty<std::int64_t>({n / 4}, rc::cuda);
    row<std::int64_t>("argsort float 2^24", 3.0 * n, 0,
                      {{"ricci", [&] { return rc::evaluate(rc::argsort(some)); }},
                       {"Thrust", [&] {
                            check(cudaMemcpyAsync(sorted.data(), some.data(), static_cast<std::size_t>(n),
                                                  cudaMemcpyDeviceToDevice, cudaStreamLegacy));
                            const auto policy = thrust::cuda::par_nosync.on(cudaStreamLegacy);
                            thrust::sequence(policy, places.data(), places.data() + n / 4);
                            thrust::stable_sort_by_key(policy, sorted.data(), sorted.data() + n / 4, places.data());
                            return places;
                        }}});
    const auto matrix = rc::reshape(some, {16384, 1024});
    row<float>("sort(x, 1) 16384x1024", 2.0 * n, 0,
               {{"ricci", [&] { return flat(rc::evaluate(rc::sort(matrix, 1))); }}});
    row<float>("quantile(x, 0.9, 1) 16384x1024", 1.0 * n, 0,
               {{"ricci", [&] { return rc::evaluate(rc::quantile(matrix, 0.9, 1)); }}});
}

/// y = the rows of x that `at` names, a warp each.
__global__ void hand_take(const float* x, const std::int64_t* at, float* y, index_t columns) {
    const index_t row = (index_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
    const float* const from = x + at[row] * columns;
    for (index_t j = threadIdx.x % 32; j < columns; j += 32) y[row * columns + j] = from[j];
}
void indexing() {
    constexpr index_t rows = 1 << 20, columns = 64;
    const auto x = normal<float>(rc::shape{rows, columns}, 1), y = rc::empty<float>({rows, columns}, rc::cuda);
    rc::generator g(7);
    const auto order = rc::random::permutation(rows, g);
    const auto at = rc::evaluate(rc::astype<std::int64_t>(order)).to(rc::cuda);
    const double bytes = 8.0 * rows * columns;
    row<float>("x(indices) of rows 1048576x64", bytes, 0,
               {{"ricci", [&] { return flat(rc::evaluate(x(at))); }}, {"hand", [&] {
                                                                           hand_take<<<rows / 8, 256>>>(
                                                                               x.data(), at.data(), y.data(), columns);
                                                                           return flat(y);
                                                                       }}});
    row<float>("index_add of rows 1048576x64", 2 * bytes, 1e-5, {{"ricci", [&] {
                                                                      const auto to =
                                                                          rc::zeros<float>({rows, columns}, rc::cuda);
                                                                      to(at) += x;
                                                                      return flat(to);
                                                                  }}});
    row<float>("x(x > 0) float 2^26", 6.0 * rows * columns, 0, {{"ricci", [&] { return rc::evaluate(x(x > 0)); }}});
    row<float>("randn float 2^26", 4.0 * rows * columns, 1e-5, {{"ricci", [&] {
                                                                     rc::generator seed(3);
                                                                     return rc::randn<float>({rows * columns}, seed,
                                                                                             rc::cuda);
                                                                 }}});
}
void small_systems() {
    constexpr index_t count = 100000;
    const auto a = rc::evaluate(normal<float>(rc::shape{count, index_t(4), index_t(4)}, 1) +
                                8.0f * rc::eye<float>(4, 4, 0, rc::cuda));
    const auto m = normal<float>(rc::shape{count, index_t(8), index_t(8)}, 2);
    row<float>("100000 products of 8x8", 3 * 256.0 * count, 1e-5, {{"ricci", [&] { return flat(rc::matmul(m, m)); }}});
    row<float>("100000 inverses of 4x4", 128.0 * count, 1e-5, {{"ricci", [&] { return flat(rc::linalg::inv(a)); }}});
}

}  // namespace

int main() {
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    std::printf("# %s: libraries\n\n| row | us | | times as long as |\n| - | -: | -: | - |\n", device.name);
    products<float>("float", 4096);
    products<float>("float", 512);
    products<double>("double", 4096);
    transforms();
    lines();
    indexing();
    small_systems();
}
