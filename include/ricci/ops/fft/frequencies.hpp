// What belongs to the elements of a transform: fftfreq, rfftfreq, fftshift, ifftshift.
#pragma once
#include "one_axis.hpp"

namespace ricci {
namespace detail {

/// `a` rolled by half its extent, forwards or back, along each of the axes; all of them for no list.
template <class A>
auto rolled_by_halves(const A& a, const int* axes, int count, int direction, const char* who) {
    shape<A::rank> by{};
    for (int i = 0; i < count; ++i) {
        const int d = axes ? normalize_axis(axes[i], A::rank, who) : i;
        add_roll(by, a.shape(), direction * (a.shape()[d] / 2), d);
    }
    return rolled(a, by);
}

}  // namespace detail
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
    return detail::rolled_by_halves(evaluate(x), axes, N, 1, "fftshift");
}
template <expression E, std::integral Axis>
auto fftshift(const E& x, Axis axis) {
    const int number = detail::axis_number(axis);
    return detail::rolled_by_halves(evaluate(x), &number, 1, 1, "fftshift");
}
template <expression E>
auto fftshift(const E& x) {
    return detail::rolled_by_halves(evaluate(x), nullptr, E::rank, 1, "fftshift");
}
/// The reverse of fftshift; they differ along axes of odd length.
template <expression E, int N>
auto ifftshift(const E& x, const int (&axes)[N]) {
    return detail::rolled_by_halves(evaluate(x), axes, N, -1, "ifftshift");
}
template <expression E, std::integral Axis>
auto ifftshift(const E& x, Axis axis) {
    const int number = detail::axis_number(axis);
    return detail::rolled_by_halves(evaluate(x), &number, 1, -1, "ifftshift");
}
template <expression E>
auto ifftshift(const E& x) {
    return detail::rolled_by_halves(evaluate(x), nullptr, E::rank, -1, "ifftshift");
}

}  // namespace fft
}  // namespace ricci
