// Windows: hann, hamming, blackman, nuttall, blackmanharris, flattop, bartlett, gaussian, tukey, kaiser, boxcar.
#pragma once
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "../../cpu/math/bessel.hpp"
#include "../create.hpp"

namespace ricci {
namespace detail {

/// f(position in [-1, 1]) of n points; `symmetric` ones begin and end at the ends, the others are periods, whose last
/// point is left out.
template <class T, class F>
tensor<T, 1> window_of(index_t n, bool symmetric, const char* who, const F& f) {
    if (n < 0) raise<value_error>({"[", who, "] the number of points must not be negative: ", n});
    const auto w = tensor<T, 1>::uninitialized({n});
    const double steps = static_cast<double>(symmetric ? n - 1 : n);
    for (index_t k = 0; k < n; ++k)
        w.data()[k] = static_cast<T>(n == 1 ? 1.0 : f((2 * static_cast<double>(k) - steps) / steps));
    return w;
}
/// The sum of c[k] cos(k pi x).
template <class T>
tensor<T, 1> cosine_sum(index_t n, bool symmetric, const char* who, std::initializer_list<double> c) {
    return window_of<T>(n, symmetric, who, [&](double x) {
        double sum = 0, k = 0;
        for (const double a : c) sum += a * std::cos(k++ * std::numbers::pi * x);
        return sum;
    });
}

}  // namespace detail

namespace signal {

/// The window (1 + cos(pi x)) / 2 of n points x from -1 to 1; with `symmetric` false the first n of n + 1, a period,
/// as spectra want it. One point is 1. Throws value_error for n < 0. All windows here are so. (scipy.signal.windows.)
template <element T = double>
tensor<T, 1> hann(index_t n, detail::yes_or_no symmetric = true) {
    return detail::cosine_sum<T>(n, symmetric, "hann", {0.5, 0.5});
}
/// 0.54 + 0.46 cos(pi x).
template <element T = double>
tensor<T, 1> hamming(index_t n, detail::yes_or_no symmetric = true) {
    return detail::cosine_sum<T>(n, symmetric, "hamming", {0.54, 0.46});
}
/// 0.42 + 0.5 cos(pi x) + 0.08 cos(2 pi x).
template <element T = double>
tensor<T, 1> blackman(index_t n, detail::yes_or_no symmetric = true) {
    return detail::cosine_sum<T>(n, symmetric, "blackman", {0.42, 0.5, 0.08});
}
/// Nuttall's minimal four terms.
template <element T = double>
tensor<T, 1> nuttall(index_t n, detail::yes_or_no symmetric = true) {
    return detail::cosine_sum<T>(n, symmetric, "nuttall", {0.3635819, 0.4891775, 0.1365995, 0.0106411});
}
/// Blackman's and Harris's minimal four terms.
template <element T = double>
tensor<T, 1> blackmanharris(index_t n, detail::yes_or_no symmetric = true) {
    return detail::cosine_sum<T>(n, symmetric, "blackmanharris", {0.35875, 0.48829, 0.14128, 0.01168});
}
/// Five terms, for amplitudes.
template <element T = double>
tensor<T, 1> flattop(index_t n, detail::yes_or_no symmetric = true) {
    return detail::cosine_sum<T>(n, symmetric, "flattop",
                                 {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368});
}
/// 1 - |x|.
template <element T = double>
tensor<T, 1> bartlett(index_t n, detail::yes_or_no symmetric = true) {
    return detail::window_of<T>(n, symmetric, "bartlett", [](double x) { return 1 - std::abs(x); });
}
/// All ones.
template <element T = double>
tensor<T, 1> boxcar(index_t n, detail::yes_or_no symmetric = true) {
    return detail::window_of<T>(n, symmetric, "boxcar", [](double) { return 1.0; });
}
/// exp(-k^2 / (2 deviation^2)), k counted in points from the middle.
template <element T = double>
tensor<T, 1> gaussian(index_t n, double deviation, detail::yes_or_no symmetric = true) {
    const double half = static_cast<double>(symmetric ? n - 1 : n) / 2;
    return detail::window_of<T>(n, symmetric, "gaussian", [=](double x) {
        const double k = x * half / deviation;
        return std::exp(-k * k / 2);
    });
}
/// Flat but for cosine flanks, which are `taper` of it: 0 (and less) is boxcar, 1 (and more) hann.
template <element T = double>
tensor<T, 1> tukey(index_t n, double taper = 0.5, detail::yes_or_no symmetric = true) {
    taper = std::fmin(taper, 1);
    return detail::window_of<T>(n, symmetric, "tukey", [=](double x) {
        const double into = std::abs(x) - (1 - taper);
        return into <= 0 || taper <= 0 ? 1.0 : (1 + std::cos(std::numbers::pi * into / taper)) / 2;
    });
}
/// I0(beta sqrt(1 - x^2)) / I0(beta): near the best there is for a given width.
template <element T = double>
tensor<T, 1> kaiser(index_t n, double beta, detail::yes_or_no symmetric = true) {
    return detail::window_of<T>(n, symmetric, "kaiser", [scale = math::i0(beta), beta](double x) {
        return math::i0(beta * std::sqrt(std::fmax(0, 1 - x * x))) / scale;
    });
}

}  // namespace signal
}  // namespace ricci
