// Lines freed of noise: savgol_filter, savgol_coeffs, medfilt.
#pragma once
#include <cmath>
#include <vector>

#include "../../core/optional_value.hpp"
#include "../../cpu/window_median.hpp"
#include "../convolution.hpp"
#include "../each_axis.hpp"
#include "../pad.hpp"
#include "../quantile.hpp"
#include "../strided.hpp"
#include "lfilter.hpp"

namespace ricci {
namespace signal {

/// How savgol_filter goes on beyond the ends of lines, where no mode is given by what was fitted there.
struct savgol_options {
    int deriv = 0;     // of the polynomials: 0, themselves
    double delta = 1;  // between elements
    int axis = -1;
    detail::optional_value<pad_mode> mode = {};
    double cval = 0;  // beyond the ends with pad_mode::constant
};

}  // namespace signal

namespace detail {

inline void check_savgol(const char* who, index_t window, int order, int deriv) {
    if (window < 1 || order < 0 || order >= window || deriv < 0)
        raise<value_error>({"[", who, "] a window of ", window, " elements, polynomials of order ", index_t(order),
                            " and derivative ", index_t(deriv),
                            ": the order must be less than the window, and none negative"});
}
/// What each element of a window counts for the derivative, at place `at` of it, of the polynomial that fits it best:
/// by polynomials that are orthogonal on the window (Forsythe 1957), whose derivatives follow by the same recurrence.
inline std::vector<double> savgol_weights(index_t window, int order, int deriv, double delta, double at) {
    const auto n = static_cast<std::size_t>(window);
    const double middle = static_cast<double>(window - 1) / 2, scale = middle > 0 ? middle : 1;
    const auto place = [&](double i) { return (i - middle) / scale; };
    std::vector<double> weights(n, 0), now(n, 1), before(n, 0);
    std::vector<double> slope(static_cast<std::size_t>(deriv) + 1, 0), slope_before = slope;  // derivatives at `at`
    slope[0] = 1;
    double square = static_cast<double>(window), last_square = 0;
    for (int k = 0; k <= order; ++k) {
        for (std::size_t i = 0; i < n; ++i) weights[i] += now[i] * slope[static_cast<std::size_t>(deriv)] / square;
        // of symmetric places: P(k + 1) = x P(k) - b P(k - 1)
        const double b = k > 0 ? square / last_square : 0, x = place(at);
        for (std::size_t i = 0; i < n; ++i) before[i] = place(static_cast<double>(i)) * now[i] - b * before[i];
        for (std::size_t d = slope.size(); d-- > 0;)
            slope_before[d] = x * slope[d] + (d > 0 ? static_cast<double>(d) * slope[d - 1] : 0) - b * slope_before[d];
        now.swap(before);
        slope.swap(slope_before);
        last_square = square;
        square = 0;
        for (const double p : now) square += p * p;
    }
    const double unit = std::pow(scale * delta, -deriv);
    for (double& w : weights) w *= unit;
    return weights;
}
/// The best fits at the first or last half of a window at the ends of rows.
template <class T, class A>
auto savgol_end(const A& rows, index_t window, int order, const signal::savgol_options& o, bool at_end) {
    const index_t half = window / 2, n = rows.shape()[1];
    const auto fit = tensor<T, 2>::uninitialized({window, half});
    for (index_t i = 0; i < half; ++i) {
        const auto w =
            savgol_weights(window, order, o.deriv, o.delta, static_cast<double>(at_end ? window - half + i : i));
        for (index_t k = 0; k < window; ++k) fit.at(k, i) = static_cast<T>(w[static_cast<std::size_t>(k)]);
    }
    return matmul(stretch_of(rows, 1, at_end ? n - window : 0, window), fit.to(device_t<A>{}));
}

/// By the windows as an axis of their own.
template <class A>
auto median_of_windows(const A& a, const shape<A::rank>& window) {
    constexpr int R = A::rank;
    margin margins[R];
    for (int d = 0; d < R; ++d) margins[d] = {window[d] / 2, window[d] / 2};
    const auto wide = pad(a, margins);
    view_spec<R, 2 * R> spec;
    shape<R + 1> flat;
    flat[R] = window.count();
    for (int d = 0; d < R; ++d) {
        flat[d] = a.shape()[d];
        spec.source[d] = spec.source[R + d] = d;
        spec.step[d] = spec.step[R + d] = 1;
        spec.extents[d] = flat[d];
        spec.extents[R + d] = window[d];
    }
    return quantile_along<false>(reshape(view_of(wide, spec), flat), {0.5, quantile_method::lower}, -1, "medfilt");
}

}  // namespace detail

namespace signal {

/// The coefficients c of the convolution of a line with which, element by element, gives the value (or the `deriv`-th
/// derivative, of elements `delta` apart) of the polynomial of the given order that fits the window around it best, at
/// its middle or at place `pos` of it. Throws value_error unless the order is less than the window's length.
/// (scipy.signal.savgol_coeffs.)
template <element T = double>
tensor<T, 1> savgol_coeffs(index_t window_length, int polyorder, int deriv = 0, double delta = 1,
                           detail::optional_value<double> pos = {}) {
    detail::check_savgol("savgol_coeffs", window_length, polyorder, deriv);
    // SciPy's middle of an even window lies between two elements
    const double at = pos.value_or(static_cast<double>(window_length - 1) / 2);
    if (!(at >= 0) || !(at <= static_cast<double>(window_length - 1)))
        detail::raise<value_error>(
            {"[savgol_coeffs] the place must lie in the window of ", window_length, " elements: ", at});
    const auto w = detail::savgol_weights(window_length, polyorder, deriv, delta, at);
    return detail::vector_of<T, cpu_device>(
        window_length, [&](index_t i) { return w[static_cast<std::size_t>(window_length - 1 - i)]; });
}

/// Lines along an axis smoothed by the polynomials of an order that fit the window of an odd number of elements around
/// each best, or their derivatives: savgol_filter(x, 7, 2, {.deriv = 1, .delta = 0.1, .axis = 0}). The elements of half
/// a window at both ends are fitted by the polynomials of the first and the last window, or, with {.mode =
/// pad_mode::reflect} (SciPy's "mirror"), `edge` ("nearest"), `wrap` or `constant`, as elsewhere on lines that go on
/// so. Integers as double. Throws value_error unless the order is less than the window and, without a mode, the window
/// no longer than the lines. Linear. (scipy.signal.savgol_filter.)
template <expression X>
auto savgol_filter(const X& x, index_t window_length, int polyorder, const savgol_options& options = {}) {
    static_assert(X::rank >= 1, "ricci: savgol_filter needs an array of rank 1 or more");
    using T = detail::filter_element<X>;
    using R = real_t<T>;
    const int at = detail::normalize_axis(options.axis, X::rank, "savgol_filter");
    const index_t half = window_length / 2;
    detail::check_savgol("savgol_filter", window_length, polyorder, options.deriv);
    if (window_length % 2 == 0)
        detail::raise<value_error>({"[savgol_filter] the window must have an odd number of elements: ", window_length});
    const auto lines = detail::move_axis(detail::evaluate_as<T>(x), at, X::rank - 1);
    const auto rows = detail::rows_of_lines(lines);
    const index_t n = rows.shape()[1];
    if (!options.mode && window_length > n)
        detail::raise<value_error>(
            {"[savgol_filter] a window of ", window_length, " elements on lines of ", n, ": give a mode"});
    const auto c =
        reshape(savgol_coeffs<R>(window_length, polyorder, options.deriv, options.delta), shape<2>{1, window_length})
            .to(device_t<X>{});
    const auto filtered = [&](const auto& line, index_t start) {
        const detail::convolve_op<1, 1> op(shape<1>{start}, shape<1>{line.shape()[1] - window_length + 1});
        return detail::call1(op, detail::evaluate_as<T>(c), line);
    };
    if (!options.mode) {
        const auto inner = filtered(rows, window_length - 1);
        if (half == 0) return detail::lines_of_rows(inner, lines.shape(), at);
        const auto first = detail::savgol_end<T>(rows, window_length, polyorder, options, false);
        const auto last = detail::savgol_end<T>(rows, window_length, polyorder, options, true);
        return detail::lines_of_rows(concat(std::make_tuple(first, inner, last), 1), lines.shape(), at);
    }
    const margin margins[2] = {{}, {half, half}};
    const auto wide = *options.mode == pad_mode::constant ? pad(rows, margins, static_cast<R>(options.cval))
                                                          : pad(rows, margins, *options.mode);
    return detail::lines_of_rows(filtered(wide, window_length - 1), lines.shape(), at);
}

/// The median of the window around each element, of an odd number of elements along each axis, 5 or {3, 5}, zeros being
/// around the array; NaN where there is one. Throws value_error for an even window. Its derivative is that of the
/// element that is the median. (scipy.signal.medfilt.)
template <expression X>
auto medfilt(const X& x, each_axis<X::rank> kernel_size = 3) {
    using T = typename X::value_type;
    static_assert(X::rank >= 1 && !is_complex_v<T>, "ricci: medfilt takes real arrays of rank 1 or more");
    shape<X::rank> window;
    for (int d = 0; d < X::rank; ++d) {
        window[d] = kernel_size[d];
        if (window[d] < 1 || window[d] % 2 == 0)
            detail::raise<value_error>(
                {"[medfilt] windows must have an odd number of elements along each axis: ", window[d]});
        if (window[d] > detail::far_apart - x.shape()[d])
            detail::raise<value_error>({"[medfilt] windows of ", window[d], " elements of an axis of ", x.shape()[d]});
    }
    detail::check_extents(window, sizeof(index_t), "medfilt");
    if constexpr (is_half_v<T>) {
        return evaluate(astype<T>(medfilt(astype<float>(x), kernel_size)));
    } else {
        const auto a = detail::without_const(evaluate(x));
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(a)>, tensor<T, X::rank>>) {
            const auto y = tensor<T, X::rank>::uninitialized(a.shape());
            auto wide = a.shape();
            for (int d = 0; d < X::rank; ++d) wide[d] += window[d] - 1;
            detail::check_extents(wide, sizeof(T), "medfilt");
            if (y.size() > 0) detail::window_median<T, X::rank>(a, window).run(y.data());
            return y;
        } else {
            return evaluate(astype<T>(detail::median_of_windows(a, window)));
        }
    }
}

}  // namespace signal
}  // namespace ricci
