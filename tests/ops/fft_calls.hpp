// Calls of Fourier transforms beside the numbers that NumPy or SciPy gave for the same.
#pragma once
#include <doctest/doctest.h>
#include <ricci/ops/compare.hpp>
#include <ricci/ops/fft.hpp>

#include <span>

#include "../reference.hpp"

namespace fft_calls {

using namespace ricci;

/// The results of a call, whatever their type, beside the numbers that NumPy has.
template <class E>
void check_call(const char* call, const E& e, std::span<const index_t> extents, std::span<const double> expected,
                double roundings = 16) {
    using T = typename E::value_type;
    CAPTURE(call);
    const auto y = evaluate(e);
    REQUIRE(std::equal(y.shape().begin(), y.shape().end(), extents.begin(), extents.end()));
    double scale = 1, distance = 0;
    for (const double v : expected) scale = std::max(scale, std::abs(v));
    std::size_t k = 0;
    for (const auto& v : reference::values(y)) {
        if constexpr (is_complex_v<T>) {
            distance = std::max(distance, std::abs(static_cast<double>(v.real()) - expected[k++]));
            distance = std::max(distance, std::abs(static_cast<double>(v.imag()) - expected[k++]));
        } else {
            distance = std::max(distance, std::abs(static_cast<double>(v) - expected[k++]));
        }
    }
    CHECK(k == expected.size());
    // 16: sums of at most 24 terms, each rounded a few times
    CHECK(distance <= roundings * scale * static_cast<double>(std::numeric_limits<real_t<T>>::epsilon()));
}

}  // namespace fft_calls

#define RICCI_FFT_UNPACK(...) __VA_ARGS__
#define RICCI_FFT_CHECK(call, extents, values)                            \
    {                                                                     \
        static constexpr double expected[] = {RICCI_FFT_UNPACK values};   \
        static constexpr index_t shape_of[] = {RICCI_FFT_UNPACK extents}; \
        check_call(#call, call, shape_of, expected);                      \
    }
