// What belongs to the elements of a transform: fftfreq, rfftfreq, fftshift, ifftshift.
#pragma once
#include "one_axis.hpp"

namespace ricci {
namespace fft {

/// The frequencies of fft's n elements, of samples `d` apart: 0, 1, ..., then the negative ones, divided by n d.
/// Throws value_error for n < 1. (numpy.fft.fftfreq.)
template <element T = double>
tensor<T, 1> fftfreq(index_t n, double d = 1) {
    detail::check_fft_length(n, "fftfreq");
    auto f = tensor<T, 1>::uninitialized({n});
    const double step = 1 / (static_cast<double>(n) * d);
    for (index_t k = 0; k < n; ++k) f.data()[k] = static_cast<T>(static_cast<double>(2 * k < n ? k : k - n) * step);
    return f;
}
/// Those of rfft's n / 2 + 1 elements, none negative.
template <element T = double>
tensor<T, 1> rfftfreq(index_t n, double d = 1) {
    detail::check_fft_length(n, "rfftfreq");
    auto f = tensor<T, 1>::uninitialized({n / 2 + 1});
    const double step = 1 / (static_cast<double>(n) * d);
    for (index_t k = 0; k <= n / 2; ++k) f.data()[k] = static_cast<T>(static_cast<double>(k) * step);
    return f;
}

/// The elements with frequency 0 moved to the middle, along one axis, several ({0, 1}) or all.
template <expression E, int N>
auto fftshift(const E& x, const int (&axes)[N]) {
    auto a = evaluate(x);
    for (const int axis : axes) a = roll(a, a.shape()[detail::normalize_axis(axis, E::rank, "fftshift")] / 2, axis);
    return a;
}
template <expression E, std::integral Axis>
auto fftshift(const E& x, Axis axis) {
    const int axes[] = {detail::axis_number(axis)};
    return fftshift(x, axes);
}
template <expression E>
auto fftshift(const E& x) {
    auto a = evaluate(x);
    for (int d = 0; d < E::rank; ++d) a = roll(a, a.shape()[d] / 2, d);
    return a;
}
/// The reverse of fftshift; they differ along axes of odd length.
template <expression E, int N>
auto ifftshift(const E& x, const int (&axes)[N]) {
    auto a = evaluate(x);
    for (const int axis : axes) a = roll(a, -(a.shape()[detail::normalize_axis(axis, E::rank, "ifftshift")] / 2), axis);
    return a;
}
template <expression E, std::integral Axis>
auto ifftshift(const E& x, Axis axis) {
    const int axes[] = {detail::axis_number(axis)};
    return ifftshift(x, axes);
}
template <expression E>
auto ifftshift(const E& x) {
    auto a = evaluate(x);
    for (int d = 0; d < E::rank; ++d) a = roll(a, -(a.shape()[d] / 2), d);
    return a;
}

}  // namespace fft
}  // namespace ricci
