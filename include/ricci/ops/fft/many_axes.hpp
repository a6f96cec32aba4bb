// Fourier transforms along several axes: fftn, ifftn, rfftn, irfftn, hfftn, ihfftn, and fft2 ... ihfft2 along the last
// two.
#pragma once
#include "one_axis.hpp"

namespace ricci {
namespace detail {

/// The axes of a transform and the lengths of its lines; 0 where the last axis' is not asked for.
struct fft_axes {
    int axis[most_fft_axes];
    index_t length[most_fft_axes];
    int count;
    fft::normalization norm;

    /// `half` says that the last axis has the first half of a spectrum.
    template <int R, class Options>
    static fft_axes of(const shape<R>& extents, const Options& o, bool half, const char* who) {
        static_assert(R <= most_fft_axes);
        fft_axes f{};
        f.norm = o.norm;
        f.count = o.axes.given ? o.axes.size : o.s.given ? o.s.size : R;
        if (f.count > R)
            raise<value_error>(
                {"[", who, "] ", f.count, " axes are asked for, the array of shape ", extents, " has ", R});
        if (o.s.given && o.s.size != f.count)
            raise<value_error>({"[", who, "] ", o.s.size, " lengths are given for ", f.count, " axes"});
        if (f.count == 0) raise<value_error>({"[", who, "] needs at least one axis"});
        bool named[R] = {};
        for (int i = 0; i < f.count; ++i) {
            const int d = f.axis[i] = o.axes.given ? normalize_axis(o.axes[i], R, who) : R - f.count + i;
            if (named[d]) raise<index_error>({"[", who, "] axis ", d, " is named twice"});
            named[d] = true;
            const bool asked = o.s.given && o.s[i] != -1;
            const index_t have = half && i + 1 == f.count ? 2 * (extents[d] - 1) : extents[d];
            f.length[i] = asked ? o.s[i] : have;
            check_fft_length(f.length[i], who);
        }
        return f;
    }
};
/// Complex transforms along all axes but the last `left`.
template <class A>
A complex_axes(A a, const fft_axes& f, int left, bool inverse) {
    for (int i = f.count - 1 - left; i >= 0; --i) a = complex_fft(a, f.axis[i], f.length[i], inverse, f.norm);
    return a;
}
template <class E, class Options>
auto fft_many(const E& x, const Options& o, bool inverse, const char* who) {
    want_axes<E>();
    const auto a = as_fft_complex(x);
    return complex_axes(a, fft_axes::of(a.shape(), o, false, who), 0, inverse);
}
template <class E, class Options>
auto fft_many_from_real(const E& x, const Options& o, bool inverse, const char* who) {
    want_real<E>();
    const auto a = as_fft_real(x);
    const auto f = fft_axes::of(a.shape(), o, false, who);
    const int last = f.count - 1;
    return complex_axes(fft_from_real(a, f.axis[last], f.length[last], inverse, f.norm), f, 1, inverse);
}
template <class E, class Options>
auto fft_many_to_real(const E& x, const Options& o, bool inverse, const char* who) {
    want_axes<E>();
    const auto a = as_fft_complex(x);
    const auto f = fft_axes::of(a.shape(), o, true, who);
    const int last = f.count - 1;
    return fft_to_real(complex_axes(a, f, 1, inverse), f.axis[last], f.length[last], inverse, f.norm);
}

}  // namespace detail

namespace fft {

// Transforms told lengths, axes and norm one after the other, as NumPy's are. Lengths in braces want the axes, too: g++
// takes {.axes = {1}} for such a list.
#define RICCI_FFT_LENGTHS_IN_ORDER(function, options)                                                  \
    template <expression E, int N>                                                                     \
    auto function(const E& x, const shape<N>& s, const detail::short_list<int>& axes = options().axes, \
                  detail::named_norm norm = backward) {                                                \
        static_assert(N == 2 || std::is_same_v<options, options_nd>,                                   \
                      "ricci: fft2 and its like take the lengths of two axes");                        \
        return function(x, options{.s = s, .axes = axes, .norm = norm});                               \
    }                                                                                                  \
    template <expression E, int N>                                                                     \
    auto function(const E& x, const extent(&s)[N], const detail::short_list<int>& axes,                \
                  detail::named_norm norm = backward) {                                                \
        return function(x, detail::to_shape(s), axes, norm);                                           \
    }
/// fft along several axes: {.s = {8, 8}, .axes = {0, 1}}, by default all. Throws value_error for lengths below 1 or as
/// many of them as there are not axes, index_error for an axis out of range or named twice. Derivatives as fft's. As
/// NumPy's, s, axes and norm may follow x: fftn(x, {8, 8}, {0, 1}), irfftn(rfftn(x), x.shape()). (numpy.fft.fftn.)
template <expression E>
auto fftn(const E& x, const options_nd& o = {}) {
    return detail::fft_many(x, o, false, "fftn");
}
RICCI_FFT_LENGTHS_IN_ORDER(fftn, options_nd)
/// ifft along several axes.
template <expression E>
auto ifftn(const E& x, const options_nd& o = {}) {
    return detail::fft_many(x, o, true, "ifftn");
}
RICCI_FFT_LENGTHS_IN_ORDER(ifftn, options_nd)
/// rfft along the last of the axes, fft along the others.
template <expression E>
auto rfftn(const E& x, const options_nd& o = {}) {
    return detail::fft_many_from_real(x, o, false, "rfftn");
}
RICCI_FFT_LENGTHS_IN_ORDER(rfftn, options_nd)
/// The inverse of rfftn: ifft along all axes but the last, irfft along that. Its length is by default even.
template <expression E>
auto irfftn(const E& x, const options_nd& o = {}) {
    return detail::fft_many_to_real(x, o, true, "irfftn");
}
RICCI_FFT_LENGTHS_IN_ORDER(irfftn, options_nd)
/// fft along all axes but the last, hfft along that.
template <expression E>
auto hfftn(const E& x, const options_nd& o = {}) {
    return detail::fft_many_to_real(x, o, false, "hfftn");
}
RICCI_FFT_LENGTHS_IN_ORDER(hfftn, options_nd)
/// The inverse of hfftn: ihfft along the last of the axes, ifft along the others.
template <expression E>
auto ihfftn(const E& x, const options_nd& o = {}) {
    return detail::fft_many_from_real(x, o, true, "ihfftn");
}
RICCI_FFT_LENGTHS_IN_ORDER(ihfftn, options_nd)

/// fftn, ifftn, rfftn, irfftn, hfftn and ihfftn along two axes, by default the last two.
template <expression E>
auto fft2(const E& x, const options_2d& o = {}) {
    return detail::fft_many(x, o, false, "fft2");
}
RICCI_FFT_LENGTHS_IN_ORDER(fft2, options_2d)
template <expression E>
auto ifft2(const E& x, const options_2d& o = {}) {
    return detail::fft_many(x, o, true, "ifft2");
}
RICCI_FFT_LENGTHS_IN_ORDER(ifft2, options_2d)
template <expression E>
auto rfft2(const E& x, const options_2d& o = {}) {
    return detail::fft_many_from_real(x, o, false, "rfft2");
}
RICCI_FFT_LENGTHS_IN_ORDER(rfft2, options_2d)
template <expression E>
auto irfft2(const E& x, const options_2d& o = {}) {
    return detail::fft_many_to_real(x, o, true, "irfft2");
}
RICCI_FFT_LENGTHS_IN_ORDER(irfft2, options_2d)
template <expression E>
auto irfft2(const E& x, const extent (&extents)[2]) {
    return irfft2(x, detail::to_shape(extents));
}
template <expression E>
auto hfft2(const E& x, const options_2d& o = {}) {
    return detail::fft_many_to_real(x, o, false, "hfft2");
}
RICCI_FFT_LENGTHS_IN_ORDER(hfft2, options_2d)
template <expression E>
auto ihfft2(const E& x, const options_2d& o = {}) {
    return detail::fft_many_from_real(x, o, true, "ihfft2");
}
RICCI_FFT_LENGTHS_IN_ORDER(ihfft2, options_2d)
#undef RICCI_FFT_LENGTHS_IN_ORDER

}  // namespace fft
}  // namespace ricci
