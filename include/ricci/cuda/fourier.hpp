// Fourier transforms on the device: cuFFT on a GPU; on Thrust's host systems the CPU's kernels.
#pragma once
#include "../cpu/executor.hpp"
#include "cufft.hpp"

namespace ricci::detail {

struct device_fourier {
    template <class Library, class X, int R, class T>
    static auto fourier([[maybe_unused]] Library library, const tensor<X, R, cuda_device>& x, int axis, bool inverse,
                        T scale) {
#if defined(RICCI_HAS_GPU)
        return fft_by_calls<cufft_execute>().complex(x, axis, inverse, scale);
#else
        return transfer<cuda_device>(
            executor<cpu_device>::fourier(library, transfer<cpu_device>(x), axis, inverse, scale));
#endif
    }
    template <class Library, class X, int R, class T>
    static auto fourier_from_real([[maybe_unused]] Library library, const tensor<X, R, cuda_device>& x, int axis,
                                  bool inverse, T scale, T interior, const shape<R>& extents) {
#if defined(RICCI_HAS_GPU)
        return fft_by_calls<cufft_execute>().from_real(x, axis, inverse, scale, interior, extents);
#else
        return transfer<cuda_device>(executor<cpu_device>::fourier_from_real(library, transfer<cpu_device>(x), axis,
                                                                             inverse, scale, interior, extents));
#endif
    }
    template <class Library, class X, int R, class T>
    static auto fourier_to_real([[maybe_unused]] Library library, const tensor<X, R, cuda_device>& x, int axis,
                                bool inverse, T scale, T interior, const shape<R>& extents) {
#if defined(RICCI_HAS_GPU)
        return fft_by_calls<cufft_execute>().to_real(x, axis, inverse, scale, interior, extents);
#else
        return transfer<cuda_device>(executor<cpu_device>::fourier_to_real(library, transfer<cpu_device>(x), axis,
                                                                           inverse, scale, interior, extents));
#endif
    }
};

}  // namespace ricci::detail
