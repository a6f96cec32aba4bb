// Spectra of lines in time: stft, istft, periodogram, welch.
#pragma once
#include "../fft/frequencies.hpp"
#include "../pad.hpp"
#include "convolve.hpp"
#include "windows.hpp"

namespace ricci {
namespace signal {

/// Options of stft and istft: `hop` elements between frames, by default a quarter of one; with `center` the first
/// frame's middle is the first element, the line being mirrored at its ends; `normalized` divides by the root of the
/// frame's length. `length` is what istft cuts its result to.
struct stft_options {
    detail::optional_length hop = {};
    bool center = true;
    bool normalized = false;
    detail::optional_length length = {};
};
/// Options of welch and periodogram: samples in a unit of time; elements that segments share, by default half of one;
/// whether the mean of each is taken out; and whether the result is a power, not a density.
struct spectrum_options {
    double rate = 1;
    detail::optional_length overlap = {};
    bool detrend = true;
    bool power = false;
};

}  // namespace signal

namespace detail {

/// Windows of `width` elements along the last axis, `hop` apart, as a new last axis; there are `count` of them.
template <class A>
auto window_spec(const A& extents, index_t count, index_t width, index_t hop) {
    constexpr int R = A::rank;
    view_spec<R, R + 1> spec;
    for (int d = 0; d < R - 1; ++d) {
        spec.source[d] = d;
        spec.step[d] = 1;
        spec.extents[d] = extents[d];
    }
    spec.source[R - 1] = spec.source[R] = R - 1;
    spec.step[R - 1] = hop;
    spec.step[R] = 1;
    spec.extents[R - 1] = count;
    spec.extents[R] = width;
    return spec;
}
/// A window in the type that a transform of x computes in, where x is.
template <class E, class W>
auto window_for(const W& window) {
    const auto w = evaluate(as_type<fft_real_t<typename E::value_type>>(window));
    if constexpr (std::is_same_v<device_t<W>, device_t<E>>) return w;
    else return w.to(device_t<E>{});
}
/// The frames of lines along the last axis.
template <class A>
auto frames_of(const A& x, index_t width, index_t hop, const char* who) {
    const index_t n = x.shape()[A::rank - 1];
    if (width < 1) raise<value_error>({"[", who, "] the window must not be empty"});
    if (hop < 1) raise<value_error>({"[", who, "] frames must be at least 1 element apart: ", hop});
    if (n < width) raise<shape_error>({"[", who, "] a line of ", n, " elements is shorter than the window of ", width});
    return view_of(x, window_spec(x.shape(), (n - width) / hop + 1, width, hop));
}
template <class A, class W>
auto power_spectrum(const A& a, const W& window, const signal::spectrum_options& o, const char* who) {
    using T = typename A::value_type;
    const index_t n = window.shape()[0], shared = o.overlap.given ? o.overlap.value : n / 2;
    if (shared < 0 || shared >= n)
        raise<value_error>({"[", who, "] segments of ", n, " elements cannot share ", shared});
    const auto frames = frames_of(a, n, n - shared, who);
    const auto level = o.detrend ? evaluate(frames - mean(frames, -1, keepdims)) : evaluate(frames);
    const auto z = fft_from_real(evaluate(level * window), A::rank, n, false, fft::backward);
    double squares = 0, sum = 0;
    const auto numbers = window.to(cpu);
    for (index_t k = 0; k < n; ++k) {
        const double w = static_cast<double>(numbers.at(k));
        squares += w * w;
        sum += w;
    }
    const T scale = static_cast<T>(o.power ? 1 / (sum * sum) : 1 / (o.rate * squares));
    // of the elements between the ends each stands for two
    const auto weights = tensor<T, 1>::uninitialized({n / 2 + 1});
    for (index_t k = 0; k <= n / 2; ++k) weights.data()[k] = k == 0 || 2 * k == n ? scale : 2 * scale;
    const auto y = evaluate(mean((square(real(z)) + square(imag(z))) * weights.to(device_t<A>{}), -2));
    return std::make_tuple(fft::rfftfreq<T>(n, 1 / o.rate).to(device_t<A>{}), y);
}
template <class E>
constexpr void want_real_lines() {
    static_assert(E::rank >= 1 && !is_complex_v<typename E::value_type>, "ricci: spectra in time are of real lines");
}

}  // namespace detail

namespace signal {

/// The Fourier transforms of windows of real lines along the last axis: frequency and frame as the last two axes.
/// Throws value_error for frames 0 apart, shape_error for lines shorter than the window. (torch.stft.)
template <expression E, expression W>
auto stft(const E& x, const W& window, const stft_options& o = {}) {
    detail::want_real_lines<E>();
    constexpr int R = E::rank;
    auto a = detail::as_fft_real(x);
    using A = decltype(a);
    const auto w = detail::window_for<E>(window);
    const index_t n = w.shape()[0];
    if (o.center) {
        margin around[R] = {};
        around[R - 1] = {n / 2, n / 2};
        a = A(pad(a, around, pad_mode::reflect));
    }
    const auto frames = detail::frames_of(a, n, o.hop.given ? o.hop.value : std::max(index_t(1), n / 4), "stft");
    const auto z = detail::fft_from_real(evaluate(frames * w), R, n, false, o.normalized ? fft::ortho : fft::backward);
    return detail::exchange_axes(z, R - 1, R);
}
/// The lines whose stft is nearest: frames are transformed back, windowed again, added up, and divided by the sum of
/// the windows' squares. Throws value_error where that is 0; past the last frame a longer `length` is filled with
/// zeros. (torch.istft.)
template <expression E, expression W>
auto istft(const E& x, const W& window, const stft_options& o = {}) {
    static_assert(E::rank >= 2, "ricci: istft needs the axes of frequencies and frames");
    constexpr int R = E::rank;
    const auto z = detail::exchange_axes(detail::as_fft_complex(x), R - 2, R - 1);
    using T = real_t<typename std::remove_cvref_t<decltype(z)>::value_type>;
    const auto w = detail::window_for<E>(window);
    const index_t n = w.shape()[0], frames = z.shape()[R - 2];
    const index_t hop = o.hop.given ? o.hop.value : std::max(index_t(1), n / 4);
    if (hop < 1) detail::raise<value_error>({"[istft] frames must be at least 1 element apart: ", hop});
    if (z.shape()[R - 1] != n / 2 + 1 || frames < 1)
        detail::raise<shape_error>(
            {"[istft] a window of ", n, " needs ", n / 2 + 1, " frequencies and a frame: x has shape ", x.shape()});
    const auto parts = evaluate(detail::fft_to_real(z, R - 1, n, true, o.normalized ? fft::ortho : fft::backward) * w);
    shape<R - 1> whole;
    for (int d = 0; d < R - 2; ++d) whole[d] = z.shape()[d];
    whole[R - 2] = n + (frames - 1) * hop;
    const auto sum =
        detail::call1(detail::unview_op<R - 1, R>(detail::window_spec(whole, frames, n, hop), whole), parts);
    const index_t first = o.center ? n / 2 : 0, most = whole[R - 2] - 2 * first;
    const index_t wanted = o.length.given ? o.length.value : most;
    if (wanted < 0) detail::raise<value_error>({"[istft] the length must not be negative: ", wanted});
    const index_t length = std::min(wanted, whole[R - 2] - first);
    const auto squares = tensor<T, 1>::uninitialized({length});
    const auto numbers = w.to(cpu);
    for (index_t k = 0; k < length; ++k) {
        const index_t at = k + first;
        T total = 0;
        for (index_t f = std::max(index_t(0), (at - n + hop) / hop); f < frames && f * hop <= at; ++f)
            if (at - f * hop < n) total += numbers.at(at - f * hop) * numbers.at(at - f * hop);
        if (!(total > T(1e-11))) detail::raise<value_error>({"[istft] no window reaches element ", k});
        squares.data()[k] = total;
    }
    auto y = evaluate(detail::stretch_of(sum, R - 2, first, length) / squares.to(device_t<E>{}));
    if (wanted == length) return y;
    margin behind[R - 1] = {};
    behind[R - 2] = {0, wanted - length};
    return decltype(y)(pad(y, behind));
}

/// The density of power over frequency of real lines along the last axis, as a std::tuple of the frequencies and it:
/// the mean over segments, each windowed, of the squares of their transforms. Throws shape_error for lines shorter
/// than the window. (scipy.signal.welch.)
template <expression E, expression W>
auto welch(const E& x, const W& window, const spectrum_options& o = {}) {
    detail::want_real_lines<E>();
    const auto a = detail::as_fft_real(x);
    return detail::power_spectrum(a, detail::window_for<E>(window), o, "welch");
}
/// With a window of Hann of up to 256 elements.
template <expression E>
auto welch(const E& x, const spectrum_options& o = {}) {
    return welch(
        x, hann<detail::fft_real_t<typename E::value_type>>(std::min(index_t(256), x.shape()[E::rank - 1]), false), o);
}
/// The same of the whole line as one segment. (scipy.signal.periodogram.)
template <expression E>
auto periodogram(const E& x, const spectrum_options& o = {}) {
    detail::want_real_lines<E>();
    const auto a = detail::as_fft_real(x);
    return detail::power_spectrum(
        a, detail::window_for<E>(boxcar<detail::fft_real_t<typename E::value_type>>(a.shape()[E::rank - 1])), o,
        "periodogram");
}

}  // namespace signal
}  // namespace ricci
