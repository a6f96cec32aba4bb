// Products and multiples of dense vectors, which iterative methods are made of.
#pragma once
#include "math/basics.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// The sum of the products of n elements, in four registers; for types that have registers.
template <class T>
RICCI_NOINLINE T dense_dot(const T* x, const T* y, index_t n) {
    constexpr index_t lanes = simd<T>::lanes;
    simd<T> sum[4];
    for (auto& s : sum) s = simd<T>(T(0));
    index_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes)
        for (int w = 0; w < 4; ++w)
            sum[w] = math::fma(simd<T>::load(x + i + w * lanes), simd<T>::load(y + i + w * lanes), sum[w]);
    for (; i + lanes <= n; i += lanes) sum[0] = math::fma(simd<T>::load(x + i), simd<T>::load(y + i), sum[0]);
    if (const index_t rest = n - i; rest > 0)
        sum[1] = math::fma(simd<T>::load_partial(x + i, rest), simd<T>::load_partial(y + i, rest), sum[1]);
    return reduce_add((sum[0] + sum[1]) + (sum[2] + sum[3]));
}
/// y = y + a x.
template <class T>
RICCI_VECTORIZE void add_multiple(T* y, T a, const T* x, index_t n) {
    for (index_t i = 0; i < n; ++i) y[i] += a * x[i];
}
/// y = x + a y.
template <class T>
RICCI_VECTORIZE void scale_and_add(T* y, T a, const T* x, index_t n) {
    for (index_t i = 0; i < n; ++i) y[i] = x[i] + a * y[i];
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
