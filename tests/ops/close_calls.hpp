// Calls in C++ beside what NumPy gave for the same, to a few roundings: the macros of golden files apply
// RICCI_CHECK_CLOSE to each.
#pragma once
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include "../reference.hpp"

namespace calls {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Sums of up to 84 products of numbers of at most two digits: a few ulp of the largest term.
template <class E>
void check_close(const std::string& call, const E& e, const std::vector<ricci::index_t>& shape,
                 const std::vector<double>& expected) {
    CAPTURE(call);
    const auto y = ricci::evaluate(e);
    CHECK(std::vector<ricci::index_t>(y.shape().begin(), y.shape().end()) == shape);
    const auto actual = reference::values(y);
    REQUIRE(actual.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(i);
        if (std::isnan(expected[i])) CHECK(std::isnan(static_cast<double>(actual[i])));
        else if (std::isinf(expected[i])) CHECK(static_cast<double>(actual[i]) == expected[i]);
        else CHECK(std::abs(static_cast<double>(actual[i]) - expected[i]) <= 1e-14 * (1 + std::abs(expected[i])));
    }
}

/// What the scripts under tests/golden call numbers(shape, seed).
template <int R>
ricci::tensor<double, R> numbers(reference::layout l, const ricci::shape<R>& extents, int seed) {
    return reference::make<double>(
        l, extents, [=](ricci::index_t i) { return static_cast<double>((37 * i + 11 * seed) % 29 - 14) / 8; });
}

}  // namespace calls

#define RICCI_PLAIN(...) __VA_ARGS__
#define RICCI_CHECK_CLOSE(call, shape, elements) \
    calls::check_close(#call, RICCI_PLAIN call, {RICCI_PLAIN shape}, {RICCI_PLAIN elements});
