// Maps, their gradients and reductions on the GPU beside kernels written by hand, 16 bytes a thread where memory allows, and CUB.
#include <cub/device/device_reduce.cuh>

#include "bench.hpp"

namespace {

using namespace bench;

constexpr int threads = 256;
template <class T>
struct alignas(16) quad {
    static constexpr int size = 16 / sizeof(T);
    T at[size];
};

/// y[i] = f(a[i], b[i]), 16 bytes at a time.
template <class T, class F>
__global__ void hand_map(const quad<T>* a, const quad<T>* b, quad<T>* y, index_t n, F f) {
    const index_t i = index_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const quad<T> p = a[i], q = b[i];
    quad<T> r;
    for (int k = 0; k < quad<T>::size; ++k) r.at[k] = f(p.at[k], q.at[k]);
    y[i] = r;
}
template <class T, class F>
device_tensor<T> run_map(const device_tensor<T>& a, const device_tensor<T>& b, const device_tensor<T>& y, F f) {
    const index_t n = y.size() / quad<T>::size;
    hand_map<<<static_cast<unsigned>((n + threads - 1) / threads), threads>>>(
        reinterpret_cast<const quad<T>*>(a.data()), reinterpret_cast<const quad<T>*>(b.data()),
        reinterpret_cast<quad<T>*>(y.data()), n, f);
    return y;
}

template <class T>
struct blend {
    __device__ T operator()(T a, T b) const { return 2 * a + 3 * b; }
};
template <class T>
struct chain {
    __device__ T operator()(T a, T b) const { return exp(-a * a) * sin(a) + b; }
};
template <class T>
struct loss_gradient {  // of sum(tanh(a b)) in a
    __device__ T operator()(T a, T b) const {
        const T t = tanh(a * b);
        return (1 - t * t) * b;
    }
};

template <class T>
__device__ T block_sum(T x) {
    __shared__ T warp[32];
    for (int d = 16; d; d >>= 1) x += __shfl_down_sync(~0u, x, d);
    if (threadIdx.x % 32 == 0) warp[threadIdx.x / 32] = x;
    __syncthreads();
    x = threadIdx.x < blockDim.x / 32 ? warp[threadIdx.x] : T(0);
    if (threadIdx.x < 32)
        for (int d = 16; d; d >>= 1) x += __shfl_down_sync(~0u, x, d);
    return x;
}
/// partial[block] = the sum of f(x): a grid-stride loop over 16 bytes.
template <class T, class F>
__global__ void hand_sum(const quad<T>* x, index_t n, T* partial, F f) {
    T total = 0;
    for (index_t i = index_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += index_t(gridDim.x) * blockDim.x) {
        const quad<T> q = x[i];
        for (int k = 0; k < quad<T>::size; ++k) total += f(q.at[k]);
    }
    total = block_sum(total);
    if (threadIdx.x == 0) partial[blockIdx.x] = total;
}
template <class T>
__global__ void finish_sum(const T* partial, int n, T* y) {
    T total = 0;
    for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) total += partial[i];
    total = block_sum(total);
    if (threadIdx.x == 0) *y = total;
}
template <class T, class F>
device_tensor<T> run_sum(const device_tensor<T>& x, F f) {
    constexpr int blocks = 132 * 8;
    static const auto partial = rc::empty<T>({blocks}, rc::cuda), y = rc::empty<T>({1}, rc::cuda);
    hand_sum<<<blocks, threads>>>(reinterpret_cast<const quad<T>*>(x.data()), x.size() / quad<T>::size, partial.data(),
                                  f);
    finish_sum<<<1, 1024>>>(partial.data(), blocks, y.data());
    return y;
}
template <class T>
struct same {
    __device__ T operator()(T a) const { return a; }
};
template <class T>
struct damped {
    __device__ T operator()(T a) const { return exp(-a * a); }
};
template <class T>
device_tensor<T> cub_sum(const device_tensor<T>& x) {
    static const auto y = rc::empty<T>({1}, rc::cuda);
    std::size_t bytes = 0;
    check(cub::DeviceReduce::Sum(nullptr, bytes, x.data(), y.data(), x.size()));
    static const auto scratch = rc::empty<std::uint8_t>({static_cast<index_t>(bytes) + 1}, rc::cuda);
    check(cub::DeviceReduce::Sum(scratch.data(), bytes, x.data(), y.data(), x.size()));
    return y;
}

/// y[r] = the sum of row r: a block each.
__global__ void hand_row_sums(const float4* x, index_t quads, float* y) {
    float total = 0;
    for (index_t i = threadIdx.x; i < quads; i += blockDim.x) {
        const float4 q = x[blockIdx.x * quads + i];
        total += q.x + q.y + q.z + q.w;
    }
    total = block_sum(total);
    if (threadIdx.x == 0) y[blockIdx.x] = total;
}
/// A warp for each short row.
__global__ void hand_short_row_sums(const float* x, index_t rows, index_t columns, float* y) {
    const index_t r = (index_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
    if (r >= rows) return;
    float total = 0;
    for (index_t j = threadIdx.x % 32; j < columns; j += 32) total += x[r * columns + j];
    for (int d = 16; d; d >>= 1) total += __shfl_down_sync(~0u, total, d);
    if (threadIdx.x % 32 == 0) y[r] = total;
}
/// y[c] += a share of column c: four columns a thread, `share` rows.
__global__ void hand_column_sums(const float4* x, index_t rows, index_t quads, index_t share, float* y) {
    const index_t c = index_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (c >= quads) return;
    float4 total{};
    const index_t end = min(rows, (blockIdx.y + 1) * share);
#pragma unroll 4
    for (index_t r = blockIdx.y * share; r < end; ++r) {
        const float4 q = x[r * quads + c];
        total.x += q.x, total.y += q.y, total.z += q.z, total.w += q.w;
    }
    atomicAdd(y + 4 * c, total.x), atomicAdd(y + 4 * c + 1, total.y);
    atomicAdd(y + 4 * c + 2, total.z), atomicAdd(y + 4 * c + 3, total.w);
}
/// y = softmax(x) of rows that a block holds in registers.
template <int PerThread>
__global__ void hand_softmax(const float* x, index_t columns, float* y) {
    __shared__ float shared;
    __shared__ float warp[32];
    float v[PerThread], most = -INFINITY, total = 0;
    for (int k = 0; k < PerThread; ++k) {
        v[k] = x[blockIdx.x * columns + k * blockDim.x + threadIdx.x];
        most = fmaxf(most, v[k]);
    }
    for (int d = 16; d; d >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
    if (threadIdx.x % 32 == 0) warp[threadIdx.x / 32] = most;
    __syncthreads();
    for (unsigned w = 0; w < blockDim.x / 32; ++w) most = fmaxf(most, warp[w]);
    for (int k = 0; k < PerThread; ++k) total += v[k] = expf(v[k] - most);
    total = block_sum(total);
    if (threadIdx.x == 0) shared = 1 / total;
    __syncthreads();
    for (int k = 0; k < PerThread; ++k) y[blockIdx.x * columns + k * blockDim.x + threadIdx.x] = v[k] * shared;
}
/// y = x + row + column, four columns a thread.
__global__ void hand_broadcast(const float4* x, const float4* row, const float* column, float4* y, index_t quads,
                               index_t count) {
    const index_t i = index_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const index_t r = i / quads, c = i - r * quads;
    const float4 p = x[i], q = row[c];
    const float v = column[r];
    y[i] = {p.x * q.x + v, p.y * q.y + v, p.z * q.z + v, p.w * q.w + v};
}
/// The transpose through tiles in shared memory.
__global__ void hand_transpose(const float* x, float* y, index_t n) {
    __shared__ float tile[32][33];
    index_t i = blockIdx.y * 32 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = x[(i + k) * n + j];
    __syncthreads();
    i = blockIdx.x * 32 + threadIdx.y, j = blockIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) y[(i + k) * n + j] = tile[threadIdx.x][threadIdx.y + k];
}

// ---- the price of calls and all its derivatives, as bench/greeks.cpp -----------------------------------------------------------
struct call_price {
    template <class S, class K, class Y, class V, class R>
    RICCI_HD auto operator()(const S& s, const K& k, const Y& t, const V& v, const R& r) const {
        const double c0 = 1.5957691216057308, c1 = 0.07056593;
        const auto normal = [&](auto x) { return 1 / (1 + exp(-x * (c0 + c1 * x * x))); };
        const auto spread = v * sqrt(t);
        const auto d1 = (log(s / k) + (r + 0.5 * v * v) * t) / spread;
        return s * normal(d1) - k * exp(-r * t) * normal(d1 - spread);
    }
};
struct five {
    double* at[5];
};
__global__ void hand_greeks(five x, five g, double* price, index_t n) {
    const index_t i = index_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double c0 = 1.5957691216057308, c1 = 0.07056593;
    const double s = x.at[0][i], k = x.at[1][i], t = x.at[2][i], v = x.at[3][i], r = x.at[4][i];
    const double root = sqrt(t), spread = v * root, inverse = 1 / spread;
    const double d1 = (log(s / k) + (r + 0.5 * v * v) * t) * inverse, d2 = d1 - spread;
    const double n1 = 1 / (1 + exp(-d1 * (c0 + c1 * d1 * d1))), n2 = 1 / (1 + exp(-d2 * (c0 + c1 * d2 * d2)));
    const double slope1 = n1 * (1 - n1) * (c0 + 3 * c1 * d1 * d1), slope2 = n2 * (1 - n2) * (c0 + 3 * c1 * d2 * d2);
    const double discount = exp(-r * t), worth = k * discount;
    const double d1_bar = s * slope1 - worth * slope2, d2_bar = worth * slope2;
    price[i] = s * n1 - worth * n2;
    const double numerator_bar = d1_bar * inverse, spread_bar = d2_bar - d1_bar * d1 * inverse;
    g.at[0][i] = n1 + numerator_bar / s;
    g.at[1][i] = -discount * n2 - numerator_bar / k;
    g.at[2][i] = numerator_bar * (r + 0.5 * v * v) + spread_bar * v * 0.5 / root + worth * n2 * r;
    g.at[3][i] = numerator_bar * v * t + spread_bar * root;
    g.at[4][i] = numerator_bar * t + worth * n2 * t;
}

template <class T>
void maps(const char* type, index_t n) {
    const auto a = normal<T>(rc::shape{n}, 1), b = normal<T>(rc::shape{n}, 2), y = normal<T>(rc::shape{n}, 3);
    const double bytes = double(n) * sizeof(T);
    const std::string size = std::string(type) + " " + std::to_string(n);
    row<T>("copy " + size, 2 * bytes, 0,
           {{"ricci", [&] { return rc::evaluate(-(-a)); }},
            {"cudaMemcpy", [&] {
                 check(cudaMemcpyAsync(y.data(), a.data(), static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice,
                                       cudaStreamLegacy));
                 return y;
             }}});
    row<T>("2 a + 3 b " + size, 3 * bytes, 1e-6,
           {{"ricci", [&] { return rc::evaluate(T(2) * a + T(3) * b); }},
            {"hand", [&] { return run_map(a, b, y, blend<T>()); }}});
    row<T>("exp(-a a) sin(a) + b " + size, 3 * bytes, 1e-6,
           {{"ricci", [&] { return rc::evaluate(rc::exp(-a * a) * rc::sin(a) + b); }},
            {"hand", [&] { return run_map(a, b, y, chain<T>()); }}});
    const auto loss = rc::grad([](auto w, auto x) { return rc::sum(rc::tanh(w * x)); });
    row<T>("gradient of sum(tanh(a b)) " + size, 3 * bytes, 1e-5,
           {{"ricci", [&] { return loss(a, b); }}, {"hand", [&] { return run_map(a, b, y, loss_gradient<T>()); }}});
    row<T>("sum(a) " + size, bytes, 1e-3,
           {{"ricci", [&] { return flat(rc::evaluate(rc::sum(a))); }},
            {"hand", [&] { return run_sum(a, same<T>()); }},
            {"CUB", [&] { return cub_sum(a); }}});
    row<T>("sum(exp(-a a)) " + size, bytes, 1e-4,
           {{"ricci", [&] { return flat(rc::evaluate(rc::sum(rc::exp(-a * a)))); }},
            {"hand", [&] { return run_sum(a, damped<T>()); }}});
}
void matrices() {
    constexpr index_t n = 8192;
    const auto x = normal<float>(rc::shape{n, n}, 1), y = normal<float>(rc::shape{n, n}, 2);
    const auto r = normal<float>(rc::shape{n}, 3), c = normal<float>(rc::shape{n}, 4),
               s = normal<float>(rc::shape{n}, 5);
    const double bytes = double(n) * n * 4;
    const auto quads = [](const auto& t) { return reinterpret_cast<float4*>(t.data()); };
    row<float>("x r + c[:, newaxis] 8192x8192", 2 * bytes, 1e-6,
               {{"ricci", [&] { return flat(rc::evaluate(x * r + c(rc::all, rc::newaxis))); }},
                {"hand", [&] {
                     hand_broadcast<<<n * n / 4 / threads, threads>>>(quads(x), quads(r), c.data(), quads(y), n / 4,
                                                                      n * n / 4);
                     return flat(y);
                 }}});
    row<float>("transpose 8192x8192", 2 * bytes, 0,
               {{"ricci", [&] { return flat(rc::permute(x, {1, 0}).clone()); }},
                {"hand", [&] {
                     hand_transpose<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(x.data(), y.data(), n);
                     return flat(y);
                 }}});
    row<float>("x + transpose(x) 8192x8192", 3 * bytes, 0,
               {{"ricci", [&] { return flat(rc::evaluate(x + rc::permute(x, {1, 0}))); }}});
    row<float>("sum(x, 1) 8192x8192", bytes, 1e-4,
               {{"ricci", [&] { return rc::evaluate(rc::sum(x, 1)); }}, {"hand", [&] {
                                                                             hand_row_sums<<<n, threads>>>(
                                                                                 quads(x), n / 4, s.data());
                                                                             return s;
                                                                         }}});
    row<float>("sum(x, 0) 8192x8192", bytes, 1e-4,
               {{"ricci", [&] { return rc::evaluate(rc::sum(x, 0)); }},
                {"hand", [&] {
                     check(cudaMemsetAsync(s.data(), 0, n * 4, cudaStreamLegacy));
                     hand_column_sums<<<dim3(n / 4 / threads, 128), threads>>>(quads(x), n, n / 4, n / 128, s.data());
                     return s;
                 }}});
    constexpr index_t rows = n * n / 64;
    const auto short_rows = rc::reshape(x, {rows, index_t(64)});
    const auto sums = normal<float>(rc::shape{rows}, 6);
    row<float>("sum(x, 1) 1048576x64", bytes, 1e-4,
               {{"ricci", [&] { return rc::evaluate(rc::sum(short_rows, 1)); }},
                {"hand", [&] {
                     hand_short_row_sums<<<rows / 8, threads>>>(x.data(), rows, 64, sums.data());
                     return sums;
                 }}});
    row<float>("softmax(x, 1) 16384x4096", 2 * bytes, 1e-5,
               {{"ricci", [&] { return flat(rc::evaluate(rc::softmax(rc::reshape(x, {2 * n, n / 2}), 1))); }},
                {"hand", [&] {
                     hand_softmax<16><<<2 * n, threads>>>(x.data(), n / 2, y.data());
                     return flat(y);
                 }}});
    row<float>("(x - mean(x, 1)) / stddev(x, 1) 8192x8192", 2 * bytes, 1e-5,
               {{"ricci", [&] {
                     return flat(rc::evaluate((x - rc::mean(x, 1, rc::keepdims)) / rc::stddev(x, 1, rc::keepdims)));
                 }}});
    const auto loss = [](auto w, auto a) { return rc::sum(rc::log1p(rc::exp(-rc::sum(w * a)))); };
    const auto w = rc::evaluate(r(rc::slice(0, 64)) * 0.1f);
    row<float>("per-sample gradients, 1048576x64", 2 * bytes, 1e-5,
               {{"ricci", [&] { return flat(rc::vmap(rc::grad(loss), rc::in_axes(rc::none, 0))(w, short_rows)); }}});
}
void greeks() {
    constexpr index_t n = 1 << 22;
    const double low[] = {90, 90, 0.5, 0.2, 0.02}, width[] = {20, 20, 1, 0.1, 0.03};
    std::vector<device_tensor<double>> x, g;
    five in, out;
    for (int i = 0; i < 5; ++i) {
        rc::generator seed(static_cast<std::uint64_t>(i + 1));
        x.push_back(rc::evaluate(low[i] + width[i] * rc::rand<double>({n}, seed, rc::cuda)));
        g.push_back(rc::empty<double>({n}, rc::cuda));
        in.at[i] = x.back().data();
        out.at[i] = g.back().data();
    }
    const auto price = rc::empty<double>({n}, rc::cuda);
    const auto hand = [&] {
        hand_greeks<<<n / threads, threads>>>(in, out, price.data(), n);
        run_sum(price, same<double>());
        return g[3];
    };
    const auto book = rc::value_and_grad(
        [](auto s, auto k, auto t, auto v, auto r) { return rc::sum(rc::map(call_price(), s, k, t, v, r)); },
        rc::argnums<0, 1, 2, 3, 4>);
    row<double>(
        "Black-Scholes: a book's value and five derivatives, 2^22", 11 * 8.0 * n, 1e-10,
        {{"ricci", [&] { return std::get<3>(std::get<1>(book(x[0], x[1], x[2], x[3], x[4]))); }}, {"hand", hand}});
}
void small() {
    const auto a = normal<float>(rc::shape{1000}, 1), b = normal<float>(rc::shape{1000}, 2), y = a.clone();
    row<float>("2 a + 3 b float 1000", 0, 1e-6,
               {{"ricci", [&] { return rc::evaluate(2.0f * a + 3.0f * b); }},
                {"hand", [&] { return run_map(a, b, y, blend<float>()); }}});
    row<float>("sum(a) float 1000", 0, 1e-4,
               {{"ricci", [&] { return flat(rc::evaluate(rc::sum(a))); }},
                {"hand", [&] { return run_sum(a, same<float>()); }},
                {"CUB", [&] { return cub_sum(a); }}});
}

}  // namespace

int main() {
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    std::printf("# %s\n\n| row | us | | times as long as |\n| - | -: | -: | - |\n", device.name);
    maps<float>("float", index_t(1) << 26);
    maps<double>("double", index_t(1) << 25);
    maps<float>("float", 1 << 20);
    matrices();
    greeks();
    small();
}
