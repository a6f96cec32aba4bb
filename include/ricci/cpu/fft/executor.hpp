// What the CPU backend does of Fourier transforms: those along an axis (ops/fft/transform.hpp). Library says whose.
#pragma once
#include "arrays.hpp"
#include "fftw.hpp"

namespace ricci::detail {

struct fourier_executor {
    template <class Library, class X, int R, class T>
    static auto fourier(Library, const tensor<X, R>& x, int axis, bool inverse, T scale) {
        using kind = typename fft_kinds<Library, T>::complex;
        return transform_axis(kind{inverse, scale}, x, axis, x.shape()[axis], x.shape());
    }
    template <class Library, class X, int R, class T>
    static auto fourier_from_real(Library, const tensor<X, R>& x, int axis, bool inverse, T scale, T interior,
                                  const shape<R>& extents) {
        using kind = typename fft_kinds<Library, T>::from_real;
        return transform_axis(kind{{scale, scale * interior, inverse}}, x, axis, x.shape()[axis], extents);
    }
    template <class Library, class X, int R, class T>
    static auto fourier_to_real(Library, const tensor<X, R>& x, int axis, bool inverse, T scale, T interior,
                                const shape<R>& extents) {
        using kind = typename fft_kinds<Library, T>::to_real;
        return transform_axis(kind{{scale, scale * interior, !inverse}}, x, axis, extents[axis], extents);
    }
};

}  // namespace ricci::detail
