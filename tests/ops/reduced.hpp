// Calls in C++ beside the floating-point numbers that NumPy gave for the same.
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <ricci/ricci.hpp>
#include <vector>

#include "../golden/reduce.hpp"

namespace reduced {

using namespace ricci;

inline constexpr double inf = std::numeric_limits<double>::infinity();

/// The golden file's arrays.
inline tensor<double, 3> numbers() {
    const auto x = zeros<double>({3, 4, 5});
    for (index_t i = 0; i < 60; ++i) x.data()[i] = static_cast<double>(37 * i % 11 - 5) / 2;
    return x;
}
inline tensor<double, 3> numbers_and_nan() {
    const auto y = numbers();
    for (index_t i = 0; i < 60; ++i)
        if (i % 7 == 3 || i / 5 == 6) y.data()[i] = NAN;
    return y;
}

template <class E>
void check_values(const char* call, const E& e, const std::vector<index_t>& shape, const std::vector<double>& golden) {
    CAPTURE(call);
    const auto y = evaluate(e).clone();
    CHECK(std::vector<index_t>(y.shape().begin(), y.shape().end()) == shape);
    REQUIRE(static_cast<std::size_t>(y.size()) == golden.size());
    for (std::size_t i = 0; i < golden.size(); ++i) {
        const double got = y.data()[i];  // 16 roundings and a root at most
        CHECK((std::isnan(golden[i]) ? std::isnan(got) : std::abs(got - golden[i]) <= 4e-15 * std::abs(golden[i])));
    }
}
template <class A, class B>
void check_same(const A& a, const B& b) {
    CHECK(allclose(a, b, 1e-13, 1e-13));
}

}  // namespace reduced

#define RICCI_STRIP(...) __VA_ARGS__
#define RICCI_CHECK_REDUCED(call, shape, elements) \
    reduced::check_values(#call, RICCI_STRIP call, {RICCI_STRIP shape}, {RICCI_STRIP elements});
