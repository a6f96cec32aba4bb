// Fourier transforms by their definition, in a longer type.
#pragma once
#include <doctest/doctest.h>
#include <ricci/ops/compare.hpp>
#include <ricci/ops/fft.hpp>

#include <cmath>
#include <complex>
#include <vector>

#include "../reference.hpp"

namespace fft_reference {

using namespace ricci;
using long_complex = std::complex<long double>;

/// e^(-2 pi i k / n) for all k < n.
inline std::vector<long_complex> roots(index_t n) {
    std::vector<long_complex> w;
    for (index_t k = 0; k < n; ++k) w.push_back(std::polar(1.0L, -2 * 3.14159265358979323846264338327950288L * k / n));
    return w;
}
/// Elements `which` of the transform of a line of real or complex numbers.
template <class T>
std::vector<long_complex> transform(const std::vector<T>& x, const std::vector<index_t>& which) {
    const auto n = static_cast<index_t>(x.size());
    const auto w = roots(n);
    std::vector<long_complex> y;
    for (const index_t k : which) {
        long_complex sum = 0;
        for (index_t j = 0; j < n; ++j) {
            const auto v = x[static_cast<std::size_t>(j)];
            long_complex term;
            if constexpr (is_complex_v<T>) term = {v.real(), v.imag()};
            else term = v;
            sum += w[static_cast<std::size_t>(j * k % n)] * term;
        }
        y.push_back(sum);
    }
    return y;
}
inline std::vector<index_t> all_below(index_t n) {
    std::vector<index_t> k(static_cast<std::size_t>(n));
    for (index_t i = 0; i < n; ++i) k[static_cast<std::size_t>(i)] = i;
    return k;
}
/// The largest distance of elements `which` from `expected`, over the root of the sum of the expected ones' squares
/// per element.
template <class Y>
double distance(const Y& y, const std::vector<long_complex>& expected, const std::vector<index_t>& which) {
    long double worst = 0, square = 0;
    for (std::size_t i = 0; i < which.size(); ++i) {
        const auto v = y.at(which[i]);
        worst = std::max(worst, std::abs(long_complex(v.real(), v.imag()) - expected[i]));
        square += std::norm(expected[i]);
    }
    return static_cast<double>(worst / std::sqrt(square / static_cast<long double>(which.size()) + 1e-30L));
}
/// Numbers in [-1, 1] that repeat nothing.
inline double spread(index_t k, int seed) {
    const double x = static_cast<double>(k + 1) * 0.6180339887498949 + seed * 0.7548776662466927;
    return 2 * (x - std::floor(x)) - 1;
}
template <class T, int R>
tensor<T, R> numbers(const shape<R>& extents, int seed) {
    const auto x = tensor<T, R>::uninitialized(extents);
    for (index_t i = 0; i < x.size(); ++i) {
        if constexpr (is_complex_v<T>)
            x.data()[i] = {real_t<T>(spread(i * i, seed)), real_t<T>(spread(i * i, seed + 1))};
        else x.data()[i] = T(spread(i * i, seed));
    }
    return x;
}
template <class T, int R>
tensor<T, R> real_parts(const tensor<std::complex<T>, R>& z) {
    const auto x = tensor<T, R>::uninitialized(z.shape());
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = z.data()[i].real();
    return x;
}
/// The largest difference of elements, found without the library; of `a` and `b`, whose elements lie how they may.
template <class T, int R>
double difference(const tensor<T, R>& a, const tensor<T, R>& b) {
    REQUIRE(a.shape() == b.shape());
    double worst = 0;
    reference::for_each_index(a.shape(), [&](const auto& at) {
        const double d = std::abs(reference::element(a, at) - reference::element(b, at));
        worst = d <= worst ? worst : d;  // NaN stays
    });
    return worst;
}
/// Row l of a matrix, or column l of one that lies the other way.
template <class T>
tensor<T, 1> part(const tensor<T, 2>& x, int axis, index_t l) {
    const auto y = tensor<T, 1>::uninitialized({x.shape()[1 - axis]});
    for (index_t i = 0; i < y.size(); ++i)
        y.data()[i] = axis == 0 ? x.data()[l * x.strides()[0] + i * x.strides()[1]]
                                : x.data()[i * x.strides()[0] + l * x.strides()[1]];
    return y;
}
template <class T>
tensor<T, 2> turned(const tensor<T, 2>& x) {
    return evaluate(matrix_transpose(x));
}

/// A line of n complex numbers, and one of real ones, against the definition; and back again.
template <class T>
void check_line(index_t n, bool whole = true) {
    CAPTURE(n);
    const double eps = static_cast<double>(std::numeric_limits<T>::epsilon());
    std::vector<index_t> which = all_below(n);
    if (!whole) which = {0, 1, 2, n / 3, n / 2, n - 2, n - 1};
    const auto z = numbers<std::complex<T>>(shape{n}, 7);
    const auto y = fft::fft(z);
    // the largest of n errors, each eps log2(n) times a number of about 1
    const double tolerance = eps * (4 + 2 * std::log2(static_cast<double>(n)));
    CHECK(distance(y, transform(reference::values(z), which), which) < tolerance);
    CHECK(difference(fft::ifft(y), z) < 5 * tolerance);
    const auto x = real_parts(z);
    std::vector<index_t> half;
    for (const index_t k : which)
        if (k <= n / 2) half.push_back(k);
    const auto r = fft::rfft(x);
    REQUIRE(r.shape() == shape{n / 2 + 1});
    CHECK(distance(r, transform(reference::values(x), half), half) < 2 * tolerance);
    CHECK(difference(fft::irfft(r, {.n = n}), x) < 5 * tolerance);
}

/// Lines of all kinds, one and many side by side, along both axes of a matrix: all agree with the line alone.
inline void check_length(index_t n) {
    const index_t lines = 21;  // two groups of lanes, or three, of which the last is not full
    const auto z = numbers<std::complex<double>>(shape{lines, n}, 3);
    const auto y = fft::fft(z), down = fft::fft(turned(z), {.axis = 0}),
               copied = fft::fft(turned(z).clone(), {.axis = 0});
    const auto few_numbers = numbers<std::complex<double>>(shape{n, 2}, 5);
    const auto few = fft::ifft(few_numbers, {.axis = 0});
    const auto x = real_parts(z);
    const auto r = fft::rfft(x), r_down = fft::rfft(turned(x).clone(), {.axis = 0});
    const auto back = fft::irfft(r, {.n = n}), back_down = fft::irfft(turned(r).clone(), {.n = n, .axis = 0});
    const double tolerance = 2e-15 * std::sqrt(static_cast<double>(n)) * (2 + std::log2(static_cast<double>(n)));
    CHECK(difference(fft::ifft(down, {.axis = 0}), turned(z)) < tolerance);
    for (index_t l = 0; l < lines; ++l) {
        CAPTURE(n);
        CAPTURE(l);
        const auto expected = fft::fft(part(z, 0, l));
        REQUIRE(difference(part(y, 0, l), expected) < tolerance);
        REQUIRE(difference(part(down, 1, l), expected) < tolerance);
        REQUIRE(difference(part(copied, 1, l), expected) < tolerance);
        const auto of_real = fft::rfft(part(x, 0, l));
        REQUIRE(difference(part(r, 0, l), of_real) < tolerance);
        REQUIRE(difference(part(r_down, 1, l), of_real) < tolerance);
        REQUIRE(difference(part(back, 0, l), part(x, 0, l)) < tolerance);
        REQUIRE(difference(part(back_down, 1, l), part(x, 0, l)) < tolerance);
        if (l < 2) REQUIRE(difference(part(few, 1, l), fft::ifft(part(few_numbers, 1, l))) < tolerance);
    }
}

/// The root of the mean square error over that of the transform.
template <class T>
double relative_error(index_t n) {
    const auto z = numbers<std::complex<T>>(shape{n}, 11);
    const auto y = fft::fft(z);
    const auto expected = transform(reference::values(z), all_below(n));
    long double error = 0, square = 0;
    for (index_t k = 0; k < n; ++k) {
        const auto v = y.at(k);
        error += std::norm(long_complex(v.real(), v.imag()) - expected[static_cast<std::size_t>(k)]);
        square += std::norm(expected[static_cast<std::size_t>(k)]);
    }
    return static_cast<double>(std::sqrt(error / square));
}

}  // namespace fft_reference
