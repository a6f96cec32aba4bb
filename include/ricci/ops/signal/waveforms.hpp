// Waves as functions of time: chirp, sawtooth, square.
#pragma once
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "../elementwise.hpp"

namespace ricci {
namespace signal {

/// How a chirp's frequency goes from one to the other.
enum class sweep { linear, quadratic, logarithmic, hyperbolic };

/// cos of a phase whose frequency at the times t is f0 at 0 and f1 at t1, in between (and beyond) on a straight line,
/// on a parabola whose vertex is at 0, so that its logarithm is on a line, or its reciprocal, plus `phase` degrees.
/// Frequencies are turns in a unit of time. Differentiable in t. Throws value_error for a t1 of 0 and, where the
/// frequency is no polynomial, for frequencies that are 0 or differ in sign. (scipy.signal.chirp.)
template <expression E>
auto chirp(const E& t, double f0, double t1, double f1, sweep kind = sweep::linear, double phase = 0) {
    const bool curved = kind == sweep::logarithmic || kind == sweep::hyperbolic;
    if (t1 == 0) detail::raise<value_error>({"[chirp] the two times are equal: 0"});
    if (curved && !(f0 * f1 > 0))
        detail::raise<value_error>({"[chirp] the frequencies must have one sign and not be 0: ", f0, " and ", f1});
    using T = real_t<inexact_t<compute_t<typename E::value_type>>>;
    constexpr double turn = 2 * std::numbers::pi;
    const auto time = detail::evaluate_as<inexact_t<typename E::value_type>>(t);
    const auto number = [](double x) { return static_cast<T>(x); };
    const auto wave = [&](const auto& turns) { return evaluate(cos(turns + number(phase * std::numbers::pi / 180))); };
    if (kind == sweep::quadratic)
        return wave(number(turn) * time * (number(f0) + number((f1 - f0) / (3 * t1 * t1)) * time * time));
    if (curved && f0 == f1) return wave(number(turn * f0) * time);
    if (kind == sweep::logarithmic) {
        const double growth = std::log(f1 / f0) / t1;
        return wave(number(turn * f0 / growth) * expm1(number(growth) * time));
    }
    if (kind == sweep::hyperbolic) {
        const double pole = -f1 * t1 / (f0 - f1);
        return wave(number(-turn * pole * f0) * log(abs(1 - time / number(pole))));
    }
    return wave(number(turn) * time * (number(f0) + number((f1 - f0) / (2 * t1)) * time));
}

/// The wave of period 2 pi that rises from -1 to 1 over the part `width` of it and falls over the rest; NaN for a width
/// that is no part. A fused map, differentiable where it does not jump. (scipy.signal.sawtooth.)
template <expression E>
auto sawtooth(const E& t, double width = 1) {
    using T = inexact_t<compute_t<typename E::value_type>>;
    constexpr double pi = std::numbers::pi;
    const double part = width >= 0 && width <= 1 ? width : std::numeric_limits<double>::quiet_NaN();
    const auto at = remainder(astype<inexact_t<typename E::value_type>>(t), static_cast<T>(2 * pi));
    const auto rising = part > 0 ? 1 / (pi * part) : part, falling = part < 1 ? 1 / (pi * (1 - part)) : part - 1;
    return where(at < static_cast<T>(2 * pi * part), at * static_cast<T>(rising) - T(1),
                 static_cast<T>((part + 1) * pi * falling) - at * static_cast<T>(falling));
}

/// The wave of period 2 pi that is 1 over the part `duty` of it, a number or an array, and -1 over the rest; NaN where
/// that is no part. A fused map without derivative. (scipy.signal.square.)
template <expression E, operand D = double>
auto square(const E& t, const D& duty = 0.5) {
    using T = inexact_t<compute_t<typename E::value_type>>;
    constexpr T turn = static_cast<T>(2 * std::numbers::pi), nan = std::numeric_limits<T>::quiet_NaN();
    const auto at = remainder(astype<inexact_t<typename E::value_type>>(t), turn);
    if constexpr (expression<D>) {
        return where(duty >= 0 && duty <= 1, where(at < duty * turn, T(1), T(-1)), nan);
    } else {
        const T part = static_cast<T>(duty);
        const bool is_part = part >= 0 && part <= 1;
        return where(at < part * turn, is_part ? T(1) : nan, is_part ? T(-1) : nan);
    }
}

}  // namespace signal
}  // namespace ricci
