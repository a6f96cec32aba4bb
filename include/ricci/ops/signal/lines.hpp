// What is done to whole lines: detrend, hilbert, resample.
#pragma once
#include "../fft/one_axis.hpp"
#include "../reduce.hpp"
#include "spectral.hpp"

namespace ricci {
namespace signal {

/// What detrend takes out of lines.
enum class trend { linear, constant };

/// Each line along an axis less the straight line nearest to it, or with trend::constant less its mean. Integers as
/// double. Linear in x. (scipy.signal.detrend.)
template <expression X>
auto detrend(const X& x, int axis = -1, trend kind = trend::linear) {
    static_assert(X::rank >= 1, "ricci: detrend needs an array of rank 1 or more");
    using T = inexact_t<typename X::value_type>;
    const int d = detail::normalize_axis(axis, X::rank, "detrend");
    return detail::computed_wide(detail::evaluate_as<T>(x), [&](const auto& a) {
        const index_t n = a.shape()[d];
        const auto level = evaluate(a - mean(a, d, keepdims));
        if (kind == trend::constant || n < 2) return level;
        const double size = static_cast<double>(n), squares = size * (size * size - 1) / 12;
        const auto place = detail::vector_of<real_t<compute_t<T>>, device_t<X>>(
            n, [&](index_t k) { return (static_cast<double>(k) - (size - 1) / 2) / std::sqrt(squares); });
        const auto slope = detail::beside_axis<X::rank>(place, d);
        return evaluate(level - slope * sum(level * slope, d, keepdims));
    });
}

/// Lines along an axis as the real parts of complex ones without negative frequencies, whose absolute values are the
/// lines' envelopes. Linear. (scipy.signal.hilbert.)
template <expression X>
auto hilbert(const X& x, int axis = -1) {
    static_assert(X::rank >= 1 && !is_complex_v<typename X::value_type>, "ricci: hilbert takes real lines");
    using T = inexact_t<typename X::value_type>;
    const int d = detail::normalize_axis(axis, X::rank, "hilbert");
    const auto z = fft::fft(detail::evaluate_as<T>(x), {.axis = d});
    const index_t n = z.shape()[d];
    const auto weight = detail::vector_of<compute_t<T>, device_t<X>>(n, [&](index_t k) {
        return k == 0 || 2 * k == n ? 1.0 : 2 * k < n ? 2.0 : 0.0;
    });
    return evaluate(fft::ifft(evaluate(z * detail::beside_axis<X::rank>(weight, d)), {.axis = d}));
}

/// n samples, evenly spaced, of the periodic functions of as few frequencies as may be whose samples the lines along an
/// axis are. Throws value_error for n < 1. Linear. (scipy.signal.resample.)
template <expression X>
auto resample(const X& x, index_t n, int axis = -1) {
    static_assert(X::rank >= 1 && !is_complex_v<typename X::value_type>, "ricci: resample takes real lines");
    using T = inexact_t<typename X::value_type>;
    if (n < 1) detail::raise<value_error>({"[resample] the number of samples must be 1 or more: ", n});
    const int d = detail::normalize_axis(axis, X::rank, "resample");
    const index_t have = x.shape()[d], fewer = std::min(n, have);
    const auto z = fft::rfft(detail::evaluate_as<T>(x), {.axis = d});
    // of an even number of samples the highest frequency stands for two, that and its negative
    const double end = fewer % 2 || n == have ? 1 : n < have ? 2 : 0.5, scale = double(n) / double(have);
    const auto weight = detail::vector_of<compute_t<T>, device_t<X>>(
        fewer / 2 + 1, [&](index_t k) { return 2 * k == fewer ? scale * end : scale; });
    const auto kept = detail::stretch_of(z, d, 0, fewer / 2 + 1);
    return evaluate(fft::irfft(evaluate(kept * detail::beside_axis<X::rank>(weight, d)), {.n = n, .axis = d}));
}

}  // namespace signal
}  // namespace ricci
