// Spectra of lines in time: stft, istft, periodogram, welch, csd, coherence.
#pragma once
#include "../checked_values.hpp"
#include "../fft/frequencies.hpp"
#include "../pad.hpp"
#include "convolve.hpp"
#include "windows.hpp"

namespace ricci {
namespace detail {

/// An option of spectra under SciPy's name for it.
struct misnamed_spectrum_option {
    constexpr misnamed_spectrum_option() = default;
    template <class A>
    constexpr misnamed_spectrum_option(A) {
        static_assert(
            always_false<A>,
            "ricci: the options of spectra are .rate, .overlap, .n_fft, .detrend, .power and .onesided; the window "
            "comes before them: welch(x, signal::hann(256, false), {.rate = 100})");
    }
};

}  // namespace detail

namespace signal {

/// Options of stft and istft: `hop` elements between frames, by default a quarter of one; `n_fft` elements in a frame,
/// by default and at least those of the window, which stands in its middle; with `center` the first frame's middle is
/// the first element, the line being mirrored at its ends; `normalized` divides by the root of the frame's length;
/// without `onesided` there are the negative frequencies of real lines, too, as there are of complex ones. `length` is
/// what istft cuts its result to.
struct stft_options {
    detail::optional_length hop = {};
    detail::optional_length n_fft = {};
    bool center = true;
    bool normalized = false;
    bool onesided = true;
    detail::optional_length length = {};
};
/// Tells istft that the lines were complex.
struct return_complex_t {};
inline constexpr return_complex_t return_complex{};

/// Options of welch, periodogram, csd and coherence: samples in a unit of time; elements that segments share, by
/// default half of one; elements that a segment is filled up to with zeros; whether the mean of each is taken out;
/// whether the result is a power, not a density; and whether the negative frequencies of real lines are added to the
/// others.
struct spectrum_options {
    double rate = 1;
    detail::optional_length overlap = {};
    detail::optional_length n_fft = {};
    bool detrend = true;
    bool power = false;
    bool onesided = true;
    detail::misnamed_spectrum_option fs = {}, window = {}, nperseg = {}, noverlap = {}, nfft = {}, scaling = {},
                                     return_onesided = {};
};

}  // namespace signal

namespace detail {

template <class Never>
struct refused_spectrum : refused_result {
    static_assert(always_false<Never>,
                  "ricci: options of spectra are in braces, welch(x, {.rate = 100}), behind a window, if one is given: "
                  "welch(x, signal::hann(256), {.rate = 100, .overlap = 128})");
};

/// What lines are computed in: real or complex, integers as double, 16 bits as float.
template <class E>
using line_element = compute_t<inexact_t<typename E::value_type>>;
template <class T, class E>
auto as_lines(const E& x) {
    static_assert(E::rank >= 1, "ricci: spectra in time are of lines: arrays of rank 1 or more");
    want_axes<E>();
    return readable_as<T>(x);
}
/// A window in the real type of lines, where they are.
template <class A, class W>
auto window_for(const A&, const W& window) {
    const auto w = evaluate(as_type<real_t<typename A::value_type>>(window));
    if constexpr (std::is_same_v<device_t<W>, device_t<A>>) return w;
    else return w.to(device_t<A>{});
}
/// The window of Hann for lines of n elements: of up to 256.
template <class T>
auto usual_window(index_t n) {
    return signal::hann<real_t<T>>(std::min(index_t(256), n), false);
}
/// How many elements of a window are transformed, with the zeros; checked.
inline index_t window_length(const optional_length& asked, index_t elements, const char* who) {
    const index_t n = asked.given ? asked.value : elements;
    if (elements < 1) raise<value_error>({"[", who, "] the window must not be empty"});
    if (n < elements)
        raise<value_error>(
            {"[", who, "] n_fft must not be less than the elements of the window: ", n, " < ", elements});
    return n;
}
/// The frames of lines along the last axis.
template <class A>
auto frames_of(const A& x, index_t width, index_t hop, const char* who) {
    const index_t n = x.shape()[A::rank - 1];
    if (hop < 1) raise<value_error>({"[", who, "] frames must be at least 1 element apart: ", hop});
    if (n < width) raise<shape_error>({"[", who, "] a line of ", n, " elements is shorter than the window of ", width});
    return view_of(x, window_spec(x.shape(), A::rank - 1, (n - width) / hop + 1, width, hop));
}
/// Their transforms, filled up to n elements; `half` of those of real lines.
template <class A>
auto transforms_of_frames(const A& frames, index_t n, bool half, fft::normalization norm) {
    constexpr int axis = A::rank - 1;
    if constexpr (!is_complex_v<typename A::value_type>)
        if (half) return fft_from_real(frames, axis, n, false, norm);
    return complex_fft(as_fft_complex(frames), axis, n, false, norm);
}

/// A window in the middle of n elements.
template <class W>
W window_in_frame(const W& window, index_t n) {
    const index_t zeros = n - window.shape()[0];
    if (zeros == 0) return window;
    const margin around[1] = {{zeros / 2, zeros - zeros / 2}};
    return W(pad(window, around));
}
/// The sums of the squares of all frames' windows at `length` elements from `first` on.
template <class W>
auto sums_of_squares(const W& window, index_t frames, index_t hop, index_t first, index_t length) {
    const index_t n = window.shape()[0];
    const shape<1> whole{n + (frames - 1) * hop};
    const auto squares = evaluate(expanded(square(window), shape<2>{frames, n}));
    const auto all = call1(unview_op<1, 2>(window_spec(whole, 0, frames, n, hop), whole), squares);
    const auto total = evaluate(stretch_of(all, 0, first, length));
    const auto plain = evaluate(plain_array(total)).to(cpu);
    const auto numbers = dense_of(plain);
    for (index_t k = 0; k < numbers.size(); ++k)  // those of a batch one after the other
        if (!(numbers.data()[k] > typename W::value_type(1e-11)))
            raise<value_error>({"[istft] no window reaches element ", k % length});
    return total;
}
/// istft of what were complex or real lines.
template <bool Complex, class E, class W>
auto lines_of_transforms(const E& x, const W& window, const signal::stft_options& o) {
    static_assert(E::rank >= 2, "ricci: istft needs the axes of frequencies and frames");
    constexpr int R = E::rank;
    const auto z = exchange_axes(as_fft_complex(x), R - 2, R - 1);
    const bool half = !Complex && o.onesided;
    const auto given = window_for(z, window);
    const index_t n = window_length(o.n_fft, given.shape()[0], "istft"), frames = z.shape()[R - 2];
    const index_t hop = o.hop.given ? o.hop.value : std::max(index_t(1), n / 4), wanted_rows = half ? n / 2 + 1 : n;
    if (hop < 1) raise<value_error>({"[istft] frames must be at least 1 element apart: ", hop});
    if (z.shape()[R - 1] != wanted_rows || frames < 1)
        raise<shape_error>({"[istft] frames of ", n, " elements have ", wanted_rows,
                            " frequencies, and there is one or more: x has shape ", x.shape()});
    const auto w = window_in_frame(given, n);
    const auto norm = o.normalized ? fft::ortho : fft::backward;
    const auto parts = [&] {
        if constexpr (Complex) return evaluate(complex_fft(z, R - 1, n, true, norm) * w);
        else {
            const auto first =
                evaluate(stretch_of(z, R - 1, 0, n / 2 + 1));  // the others of real lines are their conjugates
            return evaluate(fft_to_real(first, R - 1, n, true, norm) * w);
        }
    }();
    shape<R - 1> whole;
    for (int d = 0; d < R - 2; ++d) whole[d] = z.shape()[d];
    whole[R - 2] = n + (frames - 1) * hop;
    const auto sum = call1(unview_op<R - 1, R>(window_spec(whole, R - 2, frames, n, hop), whole), parts);
    const index_t first = o.center ? n / 2 : 0, most = whole[R - 2] - 2 * first;
    const index_t wanted = o.length.given ? o.length.value : most;
    if (wanted < 0) raise<value_error>({"[istft] the length must not be negative: ", wanted});
    const index_t length = std::min(wanted, whole[R - 2] - first);
    auto y = evaluate(stretch_of(sum, R - 2, first, length) / sums_of_squares(w, frames, hop, first, length));
    if (wanted == length) return y;
    margin behind[R - 1] = {};
    behind[R - 2] = {0, wanted - length};
    return decltype(y)(pad(y, behind));
}

/// The transforms of the windowed segments of lines, segment and frequency as the last axes.
template <class A, class W>
auto transforms_of_segments(const A& a, const W& window, const signal::spectrum_options& o, const char* who) {
    const index_t n = window.shape()[0], shared = o.overlap.given ? o.overlap.value : n / 2;
    const index_t points = window_length(o.n_fft, n, who);
    if (shared < 0 || shared >= n)
        raise<value_error>({"[", who, "] segments of ", n, " elements cannot share ", shared});
    const auto frames = frames_of(a, n, n - shared, who);
    const auto level = o.detrend ? evaluate(frames - mean(frames, -1, keepdims)) : evaluate(frames);
    return transforms_of_frames(evaluate(level * window), points, o.onesided, fft::backward);
}
/// The frequencies of lines of T, and the mean over segments of products of their transforms, scaled.
template <class T, class Z, class W>
auto scaled_spectrum(const Z& products, const W& window, const signal::spectrum_options& o) {
    using R = real_t<T>;
    using D = device_t<Z>;
    const index_t n = window_length(o.n_fft, window.shape()[0], "welch");
    const bool half = !is_complex_v<T> && o.onesided;
    const auto numbers = evaluate(as_type<double>(window));
    const auto whole = o.power ? evaluate(square(sum(numbers))) : evaluate(sum(square(numbers)) * o.rate);
    const auto scale = evaluate(as_type<R>(1.0 / whole));
    // of half of them the elements between the ends each stand for two
    const auto weights = tensor<R, 1>::uninitialized({half ? n / 2 + 1 : n});
    for (index_t k = 0; k < weights.size(); ++k) weights.data()[k] = !half || k == 0 || 2 * k == n ? R(1) : R(2);
    const auto frequencies = half ? fft::rfftfreq<R>(n, 1 / o.rate) : fft::fftfreq<R>(n, 1 / o.rate);
    return std::make_tuple(frequencies.to(D{}), evaluate(mean(products * (weights.to(D{}) * scale), -2)));
}
template <class A, class W>
auto power_spectrum(const A& a, const W& given, const signal::spectrum_options& o, const char* who) {
    const auto window = window_for(a, given);
    const auto z = transforms_of_segments(a, window, o, who);
    return scaled_spectrum<typename A::value_type>(map<ops::squared_abs>(z), window, o);
}
/// f(transforms of x's segments, of y's, the window) of two sets of lines, the shorter ones filled up with zeros.
template <class X, class Y, class W, class F>
auto with_transforms_of_both(const X& x, const Y& y, const W& given, const signal::spectrum_options& o, const char* who,
                             const F& f) {
    const index_t n = std::max(x.shape()[X::rank - 1], y.shape()[Y::rank - 1]);
    const auto window = window_for(x, given);
    return f(transforms_of_segments(resized_axis(x, X::rank - 1, n), window, o, who),
             transforms_of_segments(resized_axis(y, Y::rank - 1, n), window, o, who), window);
}
template <class X, class Y>
using common_line_element = promote_t<line_element<X>, line_element<Y>>;

}  // namespace detail

namespace signal {

/// The Fourier transforms of windows of lines along the last axis: frequency and frame as the last two axes. Throws
/// value_error for frames 0 apart, an empty window and an n_fft less than the window's elements, shape_error for lines
/// shorter than the frame, or, where they are mirrored, no longer than half of it. Differentiable in the window, too,
/// as all that follow. (torch.stft.)
template <expression E, expression W>
auto stft(const E& x, const W& window, const stft_options& o = {}) {
    constexpr int R = E::rank;
    auto a = detail::as_lines<detail::line_element<E>>(x);
    using A = decltype(a);
    const auto given = detail::window_for(a, window);
    const index_t n = detail::window_length(o.n_fft, given.shape()[0], "stft");
    if (o.center) {
        const index_t line = a.shape()[R - 1];
        if (line <= n / 2)  // torch refuses it, too, and mirrors no line more than once
            detail::raise<shape_error>({"[stft] a line of ", line,
                                        " elements is too short to be mirrored at its ends by ", n / 2,
                                        ", half a frame of ", n});
        margin around[R] = {};
        around[R - 1] = {n / 2, n / 2};
        a = A(pad(a, around, pad_mode::reflect));
    }
    const auto frames = detail::frames_of(a, n, o.hop.given ? o.hop.value : std::max(index_t(1), n / 4), "stft");
    const auto z = detail::transforms_of_frames(evaluate(frames * detail::window_in_frame(given, n)), n, o.onesided,
                                                o.normalized ? fft::ortho : fft::backward);
    return detail::exchange_axes(z, R - 1, R);
}
/// Without a window: of n_fft ones, as torch's.
template <expression E, std::integral N>
auto stft(const E& x, N n_fft, const stft_options& o = {}) {
    return stft(x, boxcar<real_t<detail::line_element<E>>>(static_cast<index_t>(n_fft)), o);
}
/// The lines whose stft is nearest: frames are transformed back, windowed again, added up, and divided by the sum of
/// the windows' squares. Throws value_error where that is 0; past the last frame a longer `length` is filled with
/// zeros. Real lines, of which the options say whether x has half of the frequencies or all, and half are read;
/// complex ones where return_complex follows. (torch.istft.)
template <expression E, expression W>
auto istft(const E& x, const W& window, const stft_options& o = {}) {
    return detail::lines_of_transforms<false>(x, window, o);
}
template <expression E, std::integral N>
auto istft(const E& x, N n_fft, const stft_options& o = {}) {
    return istft(x, boxcar<real_t<detail::line_element<E>>>(static_cast<index_t>(n_fft)), o);
}
template <expression E, expression W>
auto istft(const E& x, const W& window, const stft_options& o, return_complex_t) {
    return detail::lines_of_transforms<true>(x, window, o);
}

/// The density of power over frequency of lines along the last axis, as a std::tuple of the frequencies and it: the
/// mean over segments, each windowed, of the squares of their transforms. Of complex lines, as without `onesided`,
/// frequencies are fftfreq's. Throws shape_error for lines shorter than the window, value_error for an empty one, for
/// an n_fft less than its elements and for an overlap that is not less. (scipy.signal.welch.)
template <expression E, expression W>
auto welch(const E& x, const W& window, const spectrum_options& o = {}) {
    return detail::power_spectrum(detail::as_lines<detail::line_element<E>>(x), window, o, "welch");
}
/// With a window of Hann of up to 256 elements.
template <expression E>
auto welch(const E& x, const spectrum_options& o = {}) {
    return welch(x, detail::usual_window<detail::line_element<E>>(x.shape()[E::rank - 1]), o);
}
template <expression E, class Option, class... More>
    requires(!expression<Option>)
auto welch(const E&, const Option&, const More&...) {
    return detail::refused_spectrum<E>();
}
/// The same of the whole line as one segment. (scipy.signal.periodogram.)
template <expression E>
auto periodogram(const E& x, const spectrum_options& o = {}) {
    const auto a = detail::as_lines<detail::line_element<E>>(x);
    return detail::power_spectrum(a, boxcar<real_t<detail::line_element<E>>>(a.shape()[E::rank - 1]), o, "periodogram");
}
/// With a window, as long as the lines. Throws shape_error for another one.
template <expression E, expression W>
auto periodogram(const E& x, const W& window, const spectrum_options& o = {}) {
    static_assert(W::rank == 1, "ricci: a window is an array of rank 1");
    const auto a = detail::as_lines<detail::line_element<E>>(x);
    const index_t n = a.shape()[E::rank - 1], m = window.shape()[0];
    if (n != m) detail::raise<shape_error>({"[periodogram] the window must be as long as the lines: ", m, " != ", n});
    return detail::power_spectrum(a, window, o, "periodogram");
}
template <expression E, class Option, class... More>
    requires(!expression<Option>)
auto periodogram(const E&, const Option&, const More&...) {
    return detail::refused_spectrum<E>();
}

/// The cross-spectral density of two sets of lines, whose leading axes broadcast, as a std::tuple of the frequencies
/// and it, complex: the mean over segments of conj(X) Y, with welch's windows, options and errors. The shorter lines
/// are filled up with zeros. (scipy.signal.csd.)
template <expression X, expression Y, expression W>
auto csd(const X& x, const Y& y, const W& window, const spectrum_options& o = {}) {
    using T = detail::common_line_element<X, Y>;
    return detail::with_transforms_of_both(
        detail::as_lines<T>(x), detail::as_lines<T>(y), window, o, "csd",
        [&](const auto& p, const auto& q, const auto& w) { return detail::scaled_spectrum<T>(conj(p) * q, w, o); });
}
template <expression X, expression Y>
auto csd(const X& x, const Y& y, const spectrum_options& o = {}) {
    const index_t n = std::max(x.shape()[X::rank - 1], y.shape()[Y::rank - 1]);
    return csd(x, y, detail::usual_window<detail::common_line_element<X, Y>>(n), o);
}
/// |csd|^2 over the product of both densities of power, between 0 and 1: of a single segment 1, and NaN where a density is 0.
/// As a std::tuple of the frequencies and it. Throws shape_error for lines of different lengths.
/// (scipy.signal.coherence.)
template <expression X, expression Y, expression W>
auto coherence(const X& x, const Y& y, const W& window, const spectrum_options& o = {}) {
    using T = detail::common_line_element<X, Y>;
    const index_t n = x.shape()[X::rank - 1], m = y.shape()[Y::rank - 1];
    if (n != m) detail::raise<shape_error>({"[coherence] the lines must be equally long: ", n, " != ", m});
    return detail::with_transforms_of_both(
        detail::as_lines<T>(x), detail::as_lines<T>(y), window, o, "coherence",
        [&](const auto& p, const auto& q, const auto& w) {
            const auto [frequencies, cross] = detail::scaled_spectrum<T>(conj(p) * q, w, o);
            const auto first = detail::scaled_spectrum<T>(map<ops::squared_abs>(p), w, o);
            const auto second = detail::scaled_spectrum<T>(map<ops::squared_abs>(q), w, o);
            return std::make_tuple(frequencies,
                                   evaluate(map<ops::squared_abs>(cross) / (std::get<1>(first) * std::get<1>(second))));
        });
}
template <expression X, expression Y>
auto coherence(const X& x, const Y& y, const spectrum_options& o = {}) {
    const index_t n = std::max(x.shape()[X::rank - 1], y.shape()[Y::rank - 1]);
    return coherence(x, y, detail::usual_window<detail::common_line_element<X, Y>>(n), o);
}

}  // namespace signal
}  // namespace ricci
