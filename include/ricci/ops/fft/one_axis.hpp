// Fourier transforms along one axis: fft, ifft, rfft, irfft, hfft, ihfft.
#pragma once
#include "../resized_axis.hpp"
#include "options.hpp"
#include "transform.hpp"

namespace ricci {
namespace detail {

inline void check_fft_length(index_t n, const char* who) {
    if (n < 1) raise<value_error>({"[", who, "] the number of points must be at least 1: ", n});
}
/// The factor of a direction: `divides` says whether that direction is the one that `backward` divides.
template <class T>
T fft_scale(fft::normalization norm, bool divides, index_t n) {
    const double points = static_cast<double>(n);
    if (norm == fft::ortho) return static_cast<T>(1 / std::sqrt(points));
    return divides == (norm == fft::backward) ? static_cast<T>(1 / points) : T(1);
}

/// What the transforms of x's elements compute in: double for integers, float for 16 bits.
template <class T>
using fft_real_t = real_t<compute_t<inexact_t<T>>>;

/// One length for the result, as asked for, or what the array has; checked.
inline index_t fft_length(const optional_length& asked, index_t otherwise, const char* who) {
    const index_t n = asked.given ? asked.value : otherwise;
    check_fft_length(n, who);
    return n;
}

// Each along a checked axis of an evaluated array, to a checked length.
template <class A>
auto complex_fft(const A& a, int axis, index_t n, bool inverse, fft::normalization norm) {
    using T = real_t<typename A::value_type>;
    if (n == a.shape()[axis]) [[likely]]
        return call1(fft_op<T, A::rank>(axis, inverse, fft_scale<T>(norm, inverse, n), a.shape()), a);
    return complex_fft(resized_axis(a, axis, n), axis, n, inverse, norm);
}
template <class A>
auto fft_from_real(const A& a, int axis, index_t n, bool inverse, fft::normalization norm) {
    using T = typename A::value_type;
    if (n == a.shape()[axis]) [[likely]]
        return call1(fft_from_real_op<T, A::rank>(axis, inverse, fft_scale<T>(norm, inverse, n), T(1), a.shape()), a);
    return fft_from_real(resized_axis(a, axis, n), axis, n, inverse, norm);
}
template <class A>
auto fft_to_real(const A& a, int axis, index_t n, bool inverse, fft::normalization norm) {
    using T = real_t<typename A::value_type>;
    const auto x = resized_axis(a, axis, n / 2 + 1);
    auto extents = x.shape();
    extents[axis] = n;
    return call1(fft_to_real_op<T, A::rank>(axis, inverse, fft_scale<T>(norm, inverse, n), T(2), extents), x);
}

template <class E>
constexpr void want_axes() {
    static_assert(E::rank >= 1, "ricci: Fourier transforms need arrays of rank 1 or more");
    static_assert(!std::is_same_v<real_t<typename E::value_type>, long double>,
                  "ricci: Fourier transforms are of float and double: convert by astype");
}
template <class E>
constexpr void want_real() {
    want_axes<E>();
    static_assert(!is_complex_v<typename E::value_type>,
                  "ricci: rfft, ihfft, dct and dst take real arrays; fft and ifft take complex ones");
}
template <class E>
auto as_fft_complex(const E& x) {
    return readable_as<std::complex<fft_real_t<typename E::value_type>>>(x);
}
template <class E>
auto as_fft_real(const E& x) {
    return readable_as<fft_real_t<typename E::value_type>>(x);
}

}  // namespace detail

namespace fft {

// The same of options one after the other, and what is no array, to say so.
#define RICCI_FFT_OPTIONS_IN_ORDER(function)                                        \
    template <class E, class... Options>                                            \
        requires(!expression<E> || sizeof...(Options) > 0)                          \
    auto function(const E& x, const Options&... o) {                                \
        if constexpr (expression<E>) return function(x, detail::fft_options(o...)); \
        else return detail::refused_list<E>();                                      \
    }

/// The discrete Fourier transform along an axis: y[k] is the sum over j of x[j] e^(-2 pi i j k / n). Complex; integers
/// and bools as double, 16 bits as float. Any length; lines are cut or filled up with zeros to `n`. Throws value_error
/// for n < 1 (an axis without elements among them), index_error for an axis out of range. Linear and symmetric: its
/// transpose is itself. The error grows with log n. As NumPy's, n, axis and norm may follow x: fft(x, 8, 0).
/// (numpy.fft.fft, torch.fft.fft.)
template <expression E>
auto fft(const E& x, const options& o = {}) {
    detail::want_axes<E>();
    const auto a = detail::as_fft_complex(x);
    const int d = detail::normalize_axis(o.axis, E::rank, "fft");
    return detail::complex_fft(a, d, detail::fft_length(o.n, a.shape()[d], "fft"), false, o.norm);
}
RICCI_FFT_OPTIONS_IN_ORDER(fft)
/// Its inverse: with e^(+2 pi i j k / n), divided by n.
template <expression E>
auto ifft(const E& x, const options& o = {}) {
    detail::want_axes<E>();
    const auto a = detail::as_fft_complex(x);
    const int d = detail::normalize_axis(o.axis, E::rank, "ifft");
    return detail::complex_fft(a, d, detail::fft_length(o.n, a.shape()[d], "ifft"), true, o.norm);
}
RICCI_FFT_OPTIONS_IN_ORDER(ifft)
/// The transform of real lines: elements 0 ... n / 2, as the others are their conjugates. Half the work of fft.
template <expression E>
auto rfft(const E& x, const options& o = {}) {
    detail::want_real<E>();
    const auto a = detail::as_fft_real(x);
    const int d = detail::normalize_axis(o.axis, E::rank, "rfft");
    return detail::fft_from_real(a, d, detail::fft_length(o.n, a.shape()[d], "rfft"), false, o.norm);
}
RICCI_FFT_OPTIONS_IN_ORDER(rfft)
/// The inverse of rfft: real lines of `n` elements, by default 2 (m - 1) of m. Imaginary parts of element 0 and, of an
/// even n, of element n / 2 count for nothing.
template <expression E>
auto irfft(const E& x, const options& o = {}) {
    detail::want_axes<E>();
    const auto a = detail::as_fft_complex(x);
    const int d = detail::normalize_axis(o.axis, E::rank, "irfft");
    return detail::fft_to_real(a, d, detail::fft_length(o.n, 2 * (a.shape()[d] - 1), "irfft"), true, o.norm);
}
RICCI_FFT_OPTIONS_IN_ORDER(irfft)
/// The transform of lines that are Hermitian, of which x has the first half: real lines of `n` elements, by default 2
/// (m - 1) of m.
template <expression E>
auto hfft(const E& x, const options& o = {}) {
    detail::want_axes<E>();
    const auto a = detail::as_fft_complex(x);
    const int d = detail::normalize_axis(o.axis, E::rank, "hfft");
    return detail::fft_to_real(a, d, detail::fft_length(o.n, 2 * (a.shape()[d] - 1), "hfft"), false, o.norm);
}
RICCI_FFT_OPTIONS_IN_ORDER(hfft)
/// The inverse of hfft: the first n / 2 + 1 elements of the inverse transform of real lines.
template <expression E>
auto ihfft(const E& x, const options& o = {}) {
    detail::want_real<E>();
    const auto a = detail::as_fft_real(x);
    const int d = detail::normalize_axis(o.axis, E::rank, "ihfft");
    return detail::fft_from_real(a, d, detail::fft_length(o.n, a.shape()[d], "ihfft"), true, o.norm);
}
RICCI_FFT_OPTIONS_IN_ORDER(ihfft)
#undef RICCI_FFT_OPTIONS_IN_ORDER

}  // namespace fft
}  // namespace ricci
