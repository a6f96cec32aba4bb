// Matrix products on the device: one thread for each element, or cuBLAS for floating types with RICCI_USE_CUBLAS.
#pragma once
#include "cublas.hpp"
#include "kernel.hpp"

namespace ricci::detail {

/// The axes of c with the steps of a, b and c: batches first, then c's rows and columns.
template <class A, class B, class C>
axis_table<3, C::rank> matmul_axes(const A& a, const B& b, const C& c) {
    constexpr int R = C::rank;
    axis_table<3, R> axes;
    axes.bind(0, a);
    axes.bind(1, b);
    axes.bind(2, c);
    for (int d = 0; d < R; ++d) axes.extent[d] = c.shape()[d];
    axes.step[R - 1][0] = 0;  // along k in a, not along c's columns
    axes.step[R - 2][1] = 0;
    return axes;
}

template <class T, int Rank>
struct matmul_kernel {
    const T* a;
    const T* b;
    T* c;
    strided_loop<3, Rank> loop;
    index_t k, a_step, b_step;

    RICCI_HD void operator()(index_t i) const {
        index_t offset[3] = {};
        loop.add_offsets(i, offset);
        const T* x = a + offset[0];
        const T* y = b + offset[1];
        T total = T(0);
        for (index_t j = 0; j < k; ++j) total = static_cast<T>(total + x[j * a_step] * y[j * b_step]);
        c[offset[2]] = total;
    }
};

template <class A, class B, class C>
void device_matmul(const A& a, const B& b, const C& c) {
    using T = device_lane_t<typename C::value_type>;
    constexpr int R = C::rank;
    const index_t k = a.shape()[A::rank - 1];
#if defined(RICCI_USE_CUBLAS)
    if constexpr (is_inexact_v<T>)
        if (k > 0 && c.size() > 0) return cublas_matmul(a, b, c);
#endif
    const auto axes = matmul_axes(a, b, c);
    matmul_kernel<T, R> kernel{reinterpret_cast<const T*>(a.data()),
                               reinterpret_cast<const T*>(b.data()),
                               reinterpret_cast<T*>(c.data()),
                               {},
                               k,
                               a.strides()[A::rank - 1],
                               b.strides()[B::rank - 2]};
    for (int d = 0; d < R; ++d) kernel.loop.append(axes.extent[d], axes.step[d]);
    launch(kernel.loop.count, kernel);
}

}  // namespace ricci::detail
