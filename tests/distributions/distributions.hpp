// What tests of distributions share: the arrays of tests/golden/make_distributions.py, and its cases as checks.
#pragma once
#include <doctest/doctest.h>
#include <ricci/distributions.hpp>

#include <cmath>
#include <limits>
#include <numbers>

#include "../golden/distributions.hpp"

namespace distribution_checks {

using namespace ricci;
using namespace ricci::distributions;
using ricci::distributions::gamma, ricci::distributions::normal,
    ricci::distributions::uniform;  // not C's, ricci's refusals

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

inline const tensor<double, 1> u{0.3, 1.0, 2.5}, v{0.7, 1.5, 4.0}, w{3.3, 2.2, 5.1}, p{0.1, 0.5, 0.9};
inline const tensor<double, 1> reals{-1.3, 0.2, 3.1}, positives{0.05, 1.1, 6.0}, units{0.02, 0.4, 0.97},
    counts{0.0, 1.0, 7.0};
inline const tensor<double, 2> S{{2.0, 0.5, -0.3}, {0.5, 1.0, 0.2}, {-0.3, 0.2, 0.7}},
    A{{0.1, -0.5, 1.2}, {2.0, 0.3, -1.1}};

/// The gradient of the sum of f.
template <class F, class X>
auto slope(const F& f, const X& x) {
    return grad([&](auto a) { return sum(f(a)); })(x);
}
/// Both sides compute in double, by other formulas: a few units in the last place of the largest of their terms, which
/// are below 100.
template <class Y, std::size_t N>
void check_case(const char* call, const Y& y, const double (&expected)[N]) {
    const auto flat = ravel(evaluate(y));
    REQUIRE(flat.size() == index_t(N));
    for (std::size_t i = 0; i < N; ++i) {
        CAPTURE(call);
        CAPTURE(i);
        CHECK(flat.at(index_t(i)) == doctest::Approx(expected[i]).epsilon(1e-12));
    }
}
#define RICCI_DISTRIBUTION_WHOLE(...) __VA_ARGS__
#define RICCI_DISTRIBUTION_CHECK(call, count, values)                \
    {                                                                \
        const double expected[] = {RICCI_DISTRIBUTION_WHOLE values}; \
        check_case(#call, RICCI_DISTRIBUTION_WHOLE call, expected);  \
    }

}  // namespace distribution_checks
