// Complex matrices as real ones: the packing and splitting that let the real kernels multiply them.
#pragma once
#include "../../core/dtype.hpp"
#include "kernel.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

// An m x k complex matrix, its parts side by side, is a real m x 2k one. Times the real 2k x 2n matrix that has the
// block (re, im; -im, re) for each element of B, it gives the parts of C side by side, with as many multiplications as
// the complex product takes (Van Zee and Smith 2017, "1m").

/// What the kernels multiply for T.
template <class T>
using gemm_real = real_t<compute_t<T>>;

/// A panel of B: `valid` columns of `Width` real ones.
template <int Width, class T, class R>
RICCI_INLINE void pack_right(index_t k, const T* from, index_t across, index_t along, int valid, R* to) {
    pack_panel<Width>(k, from, across, along, valid, to);
}
template <int Width, class R>
RICCI_INLINE void pack_right(index_t k, const std::complex<R>* from, index_t across, index_t along, int valid, R* to) {
    if (2 * valid < Width) std::memset(to, 0, static_cast<std::size_t>(2 * k) * Width * sizeof(R));
    for (index_t p = 0; p < k; ++p, to += 2 * Width) {
        const R* const x = reinterpret_cast<const R*>(from + p * along);
        if (across == 1 && 2 * valid == Width) {
            std::memcpy(to, x, Width * sizeof(R));
        } else {
            for (int j = 0; j < valid; ++j) std::memcpy(to + 2 * j, x + 2 * j * across, 2 * sizeof(R));
        }
        for (int j = 0; j < 2 * valid; j += 2) {
            to[Width + j] = -to[j + 1];
            to[Width + j + 1] = to[j];
        }
    }
}

/// B's columns as pairs of real ones, contiguous: (re, -im) and (im, re) for each element.
template <class R>
void split_columns(index_t k, index_t n, const std::complex<R>* b, index_t b_row, index_t b_col, R* to) {
    for (index_t j = 0; j < n; ++j, to += 4 * k)
        for (index_t p = 0; p < k; ++p) {
            const std::complex<R> x = b[p * b_row + j * b_col];
            to[2 * p] = x.real();
            to[2 * p + 1] = -x.imag();
            to[2 * k + 2 * p] = x.imag();
            to[2 * k + 2 * p + 1] = x.real();
        }
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
#endif  // RICCI_HAS_SIMD
