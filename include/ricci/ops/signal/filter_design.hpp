// Filters by what they let pass: butter, cheby1, firwin; and what a filter lets pass: freqz.
#pragma once
#include <cmath>
#include <complex>
#include <initializer_list>
#include <numbers>
#include <string>
#include <utility>

#include "../../core/optional_value.hpp"
#include "../sampled.hpp"
#include "lfilter.hpp"
#include "windows.hpp"

namespace ricci {
namespace signal {

/// What a filter lets pass: frequencies below or above one, between or outside two.
enum class band { lowpass, highpass, bandpass, bandstop };
inline constexpr band lowpass = band::lowpass, highpass = band::highpass, bandpass = band::bandpass,
                      bandstop = band::bandstop;

}  // namespace signal

namespace detail {

/// A frequency, or several in braces, ascending.
struct cutoff_frequencies {
    static constexpr int most = 16;
    double at[most] = {};
    int count = 0;

    cutoff_frequencies(double f) : at{f}, count(1) {}
    template <expression E>
        requires(E::rank == 0)
    cutoff_frequencies(const E& f) : cutoff_frequencies(static_cast<double>(f)) {}
    cutoff_frequencies(std::initializer_list<double> f) {
        if (f.size() > std::size_t(most))
            raise<value_error>({"[cutoff] ", f.size(), " frequencies are more than ", most});
        for (const double x : f) at[count++] = x;
    }
    /// As parts of half the rate, after a check of their order.
    cutoff_frequencies parts_of(double rate, const char* who) const {
        auto parts = *this;
        for (int i = 0; i < count; ++i) {
            parts.at[i] = 2 * at[i] / rate;
            if (!(parts.at[i] > (i > 0 ? parts.at[i - 1] : 0.0)) || !(parts.at[i] < 1))
                raise<value_error>({"[", who, "] cutoff frequencies must ascend between 0 and half the rate, ",
                                    rate / 2, ": ", at[i], " is number ", i, " of them"});
        }
        return parts;
    }
};

/// Where a Butterworth or, with ripples of some decibels, Chebyshev filter's poles are, and the sections that have
/// them. A template, which compilers see through only where it is used.
template <class T>
class butterworth {
    using complex = std::complex<T>;
    int order_;
    signal::band kind_;
    T width_, square_ = 0;  // of the band, and its middle's square, as bilinear transforms bend them
    T across_ = 1, along_ = 1,
      gain_ = 1;  // the half axes of the ellipse on which the poles are; the gain where ripples end

   public:
    butterworth(int order, const cutoff_frequencies& given, signal::band kind, double rate, const char* who,
                optional_value<double> ripple = {})
        : order_(order), kind_(kind) {
        const bool two = kind == signal::bandpass || kind == signal::bandstop;
        if (order < 1) raise<value_error>({"[", who, "] the order must be 1 or more: ", index_t(order)});
        if (given.count != (two ? 2 : 1))
            raise<value_error>(
                {"[", who, "] bandpass and bandstop take two cutoff frequencies, others one: ", index_t(given.count)});
        const auto cut = given.parts_of(rate, who);
        width_ = std::tan(std::numbers::pi_v<T> / 2 * cut.at[0]);
        if (two) {
            const T high = std::tan(std::numbers::pi_v<T> / 2 * cut.at[1]);
            square_ = width_ * high;
            width_ = high - width_;
        }
        if (!ripple) return;
        if (!(*ripple > 0)) raise<value_error>({"[", who, "] the ripple must be positive: ", *ripple});
        const T square = std::expm1(std::numbers::ln10_v<T> / 10 * static_cast<T>(*ripple));
        const T angle = std::asinh(1 / std::sqrt(square)) / static_cast<T>(order);
        across_ = std::sinh(angle);
        along_ = std::cosh(angle);
        if (order % 2 == 0) gain_ = 1 / std::sqrt(1 + square);
    }
    tensor<T, 2> sections() const {
        const bool two = square_ != 0;
        const auto s = tensor<T, 2>::uninitialized({two ? order_ : (order_ + 1) / 2, 6});
        T* to = s.data();
        for (int m = order_ % 2 ? 0 : 1; m < order_; m += 2) {  // the pole that is nearest to the circle comes last
            const complex circle = std::polar(T(1), std::numbers::pi_v<T> * (1 - T(m) / (2 * order_)));
            const complex p(circle.real() * across_, circle.imag() * along_);
            const bool low = kind_ == signal::lowpass || kind_ == signal::bandpass;
            const complex at = low ? p * width_ : width_ / p;
            if (!two && m == 0) {
                first_order(to, at.real());
            } else if (!two) {
                write(to, at, std::conj(at));
            } else {
                const complex half = at / T(2), root = std::sqrt(half * half - square_);
                complex p1 = half + root, p2 = half - root;  // of wide bands the smaller one is all cancelled
                if (std::abs(p1) < std::abs(p2)) p1 = square_ / p2;
                else p2 = square_ / p1;
                if (m == 0) {
                    write(to, p1, p2);
                } else {
                    write(to, p1, std::conj(p1));
                    write(to, p2, std::conj(p2));
                }
            }
        }
        for (int k = 0; k < 3; ++k) s.data()[k] *= gain_;
        return s;
    }

   private:
    /// Poles s of the plane are at (1 + s) / (1 - s); each section lets pass 1 where the filter does so best.
    void write(T*& to, complex s, complex t) const {
        const complex down = (T(1) - s) * (T(1) - t), up = (T(1) + s) * (T(1) + t);
        const T scale = down.real(), middle = std::sqrt(square_);
        T gain = 1, b1 = -2, b2 = 1;
        if (kind_ == signal::lowpass) {
            gain = (s * t).real();
            b1 = 2;
        } else if (kind_ == signal::bandpass) {
            gain = std::abs((complex(0, middle) - s) * (complex(0, middle) - t)) / middle;
            b1 = 0, b2 = -1;
        } else if (kind_ == signal::bandstop) {
            gain = (s * t).real() * (1 + square_) / square_;
            b1 = -2 * (1 - square_) / (1 + square_);
        }
        gain /= scale;
        const T section[] = {gain, gain * b1, gain * b2, 1, -2 * (T(1) - s * t).real() / scale, up.real() / scale};
        for (const T c : section) *to++ = c;
    }
    void first_order(T*& to, T s) const {
        const bool low = kind_ == signal::lowpass;
        const T gain = (low ? -s : T(1)) / (1 - s);
        const T section[] = {gain, low ? gain : -gain, 0, 1, -(1 + s) / (1 - s), 0};
        for (const T c : section) *to++ = c;
    }
};

/// Sums of sines that pass between pairs of frequencies, windowed, with gain 1 in the first band's middle, or at an end
/// of the axis.
template <class W>
tensor<typename W::value_type, 1> windowed_sines(const W& window, const cutoff_frequencies& given, signal::band kind,
                                                 double rate) {
    using T = typename W::value_type;
    static_assert(W::rank == 1 && std::is_floating_point_v<T>, "ricci: firwin takes a window of rank 1: hamming(51)");
    const auto cut = given.parts_of(rate, "firwin");
    const bool from_zero = kind == signal::lowpass || kind == signal::bandstop;
    if (cut.count == 0 || (cut.count == 1) != (kind == signal::lowpass || kind == signal::highpass))
        raise<value_error>(
            {"[firwin] bandpass and bandstop take two cutoff frequencies or more, others one: ", index_t(cut.count)});
    const index_t n = window.shape()[0];
    const bool to_end = (cut.count % 2 == 0) == from_zero;
    if (to_end && n % 2 == 0)
        raise<value_error>(
            {"[firwin] a filter that lets the highest frequency pass has an odd number of elements: ", n});
    const auto edge = [&](int i) {  // of the bands that pass, one after the other
        const int k = from_zero ? i - 1 : i;
        return k < 0 ? 0.0 : k < cut.count ? cut.at[k] : 1.0;
    };
    const int bands = (cut.count + from_zero + to_end) / 2;
    const double pi = std::numbers::pi, at = edge(0) == 0 ? 0 : edge(1) == 1 ? 1 : (edge(0) + edge(1)) / 2;
    const auto h = tensor<T, 1>::uninitialized({n});
    double sum = 0;
    for (index_t k = 0; k < n; ++k) {
        const double m = static_cast<double>(k) - 0.5 * static_cast<double>(n - 1);
        double x = 0;
        for (int i = 0; i < 2 * bands; ++i) {
            const double f = edge(i), value = m == 0 ? f : std::sin(pi * f * m) / (pi * m);
            x += i % 2 ? value : -value;
        }
        x *= static_cast<double>(window.at(k));
        sum += x * std::cos(pi * m * at);
        h.data()[k] = static_cast<T>(x);
    }
    return evaluate(h / static_cast<T>(sum));
}

}  // namespace detail

namespace signal {

/// The Butterworth filter of an order, flat where it lets pass: of frequencies below or above a cutoff, where its gain
/// is the root of a half, or between or outside of two, {0.1, 0.3}, in units in which `rate` is the rate of samples. As
/// second-order sections (n, 6) for sosfilt, the one with the sharpest resonance last, each of gain 1 where the
/// filter's is. Throws value_error for cutoffs that do not ascend between 0 and half the rate.
/// (scipy.signal.butter(..., output="sos") but for the sections' order and scales.)
template <std::integral N>
auto butter_sos(N order, const detail::cutoff_frequencies& cutoff, band kind = lowpass, double rate = 2) {
    return detail::butterworth<double>(static_cast<int>(order), cutoff, kind, rate, "butter_sos").sections();
}

template <class Coefficients>
struct filter_coefficients {
    using ricci_named = void;
    Coefficients b, a;
    friend auto members(const filter_coefficients& c) { return std::tie(c.b, c.a); }
    operator std::tuple<Coefficients&, Coefficients&>() { return {b, a}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
}  // namespace signal
namespace detail {

/// The coefficients of a filter of an order that is given in sections: their products.
inline signal::filter_coefficients<tensor<double, 1>> whole_filter(const tensor<double, 2>& s, index_t order,
                                                                   signal::band kind) {
    const bool two = kind == signal::bandpass || kind == signal::bandstop;
    const index_t n = (two ? 2 : 1) * order + 1, count = s.shape(0);
    const auto multiplied = [&](index_t from) {
        const auto c = zeros<double>(shape<1>{2 * count + 1});
        c.data()[0] = 1.0;
        for (index_t i = 0; i < count; ++i)
            for (index_t k = 2 * i + 2; k >= 0; --k)
                c.data()[k] = c.data()[k] * s.at(i, from) + (k > 0 ? c.data()[k - 1] * s.at(i, from + 1) : 0) +
                              (k > 1 ? c.data()[k - 2] * s.at(i, from + 2) : 0);
        return tensor<double, 1>(index(c, slice(0, n)));
    };
    return {multiplied(0), multiplied(3)};
}

}  // namespace detail
namespace signal {

/// The same as the coefficients b and a for lfilter and filtfilt. From orders of 8 or so on, and for narrow bands,
/// rounding spoils them: butter_sos does not mind. (scipy.signal.butter.)
template <std::integral N>
filter_coefficients<tensor<double, 1>> butter(N order, const detail::cutoff_frequencies& cutoff, band kind = lowpass,
                                              double rate = 2) {
    const detail::butterworth<double> filter(static_cast<int>(order), cutoff, kind, rate, "butter");
    return detail::whole_filter(filter.sections(), index_t(order), kind);
}
/// Chebyshev's filter of the first kind: steeper than butter's, it ripples where it lets pass, by `ripple` decibels,
/// which is also what the cutoff frequencies are let pass by. Errors as butter_sos's, and value_error for a ripple that
/// is not positive. (scipy.signal.cheby1.)
template <std::integral N>
auto cheby1_sos(N order, double ripple, const detail::cutoff_frequencies& cutoff, band kind = lowpass,
                double rate = 2) {
    return detail::butterworth<double>(static_cast<int>(order), cutoff, kind, rate, "cheby1_sos", ripple).sections();
}
template <std::integral N>
filter_coefficients<tensor<double, 1>> cheby1(N order, double ripple, const detail::cutoff_frequencies& cutoff,
                                              band kind = lowpass, double rate = 2) {
    return detail::whole_filter(cheby1_sos(order, ripple, cutoff, kind, rate), index_t(order), kind);
}

/// The filter without feedback of as many elements as the window has, that lets pass frequencies below or above a
/// cutoff, between or outside of two, or in every other one of more bands, with `rate` as butter's: sums of sin(x) / x
/// by the window, a's being 1. Throws value_error for cutoffs as butter does, and where the highest frequency passes
/// for an even number of elements. (scipy.signal.firwin.)
template <expression W>
auto firwin(const W& window, const detail::cutoff_frequencies& cutoff, band kind = lowpass, double rate = 2) {
    return detail::windowed_sines(evaluate(window), cutoff, kind, rate);
}
/// With a Hamming window of n elements.
template <std::integral N>
tensor<double, 1> firwin(N n, const detail::cutoff_frequencies& cutoff, band kind = lowpass, double rate = 2) {
    return detail::windowed_sines(hamming(static_cast<index_t>(n)), cutoff, kind, rate);
}

/// What the filter b / a, as lfilter's, by default without feedback, makes of `points` frequencies from 0 up to half
/// the rate, that excluded: as a std::tuple of the frequencies and complex factors. Differentiable in b and a.
/// (scipy.signal.freqz.)
template <operand B, operand A = int>
    requires(expression<B> || expression<A>)
auto freqz(const B& b, const A& a = 1, index_t points = 512, double rate = 2 * std::numbers::pi) {
    using T = detail::filter_element<detail::coefficient_array<B, A>, B, A>;
    using R = real_t<T>;
    const auto forward = detail::coefficients<T>(b);
    const auto back = detail::coefficients<T>(a);
    static_assert(std::remove_cvref_t<decltype(forward)>::rank == 1 && std::remove_cvref_t<decltype(back)>::rank == 1,
                  "ricci: freqz takes a filter's coefficients b and a of rank 1");
    if (points < 1) detail::raise<value_error>({"[freqz] the number of frequencies must be 1 or more: ", points});
    const auto angles = tensor<R, 1>::uninitialized({points});
    const auto z = tensor<std::complex<R>, 1>::uninitialized({points});
    for (index_t k = 0; k < points; ++k) {
        const double angle = std::numbers::pi * static_cast<double>(k) / static_cast<double>(points);
        angles.data()[k] = static_cast<R>(angle * rate / (2 * std::numbers::pi));
        z.data()[k] = {static_cast<R>(std::cos(angle)), static_cast<R>(-std::sin(angle))};
    }
    return std::make_tuple(angles, evaluate(polyval(flip(forward), z) / polyval(flip(back), z)));
}

}  // namespace signal
}  // namespace ricci
