// Samples against their distributions, threads, and offsets in the stream.
#pragma once
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "../golden/random.hpp"

namespace samples {

using namespace ricci;

inline constexpr index_t many = 200000;
inline constexpr double inf = std::numeric_limits<double>::infinity();

template <class X>
auto values(const X& x) {
    const auto dense = evaluate(x).clone();
    return std::vector<typename X::value_type>(dense.data(), dense.data() + dense.size());
}

/// The sum of (count - n p)^2 / (n p) over cells.
inline double chi_square(const std::vector<double>& counts, const std::vector<double>& probabilities, double n) {
    double sum = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const double expected = n * probabilities[k];
        REQUIRE(expected > 100);  // so that the statistic has the distribution of its bound
        sum += (counts[k] - expected) * (counts[k] - expected) / expected;
    }
    return sum;
}
inline const golden::distribution& known(const char* name) {
    for (const auto& d : golden::distributions)
        if (!std::strcmp(d.name, name)) return d;
    FAIL("no golden values of " << name);
    return golden::distributions[0];
}
/// A sample of a distribution: its counts in cells, at the bound that one in a thousand exceeds (the seeds are fixed),
/// its mean within four standard errors, and no correlation of neighbours.
template <class X>
void check_sample(const char* name, const X& sample) {
    CAPTURE(name);
    const auto& d = known(name);
    const auto x = values(sample);
    const auto n = static_cast<double>(x.size());
    REQUIRE(x.size() == many);
    std::vector<double> counts(d.probabilities.size());
    double mean = 0, covariance = 0;
    for (const auto v : x) {
        const auto value = static_cast<double>(v);
        ++counts[static_cast<std::size_t>(std::lower_bound(d.edges.begin(), d.edges.end(), value) - d.edges.begin())];
        mean += (value - d.mean) / n;
    }
    CHECK(chi_square(counts, d.probabilities, n) < golden::chi_square_bounds[counts.size() - 1]);
    CHECK(std::abs(mean) < 4 * std::sqrt(d.variance / n));
    for (std::size_t i = 1; i < x.size(); ++i)
        covariance += (static_cast<double>(x[i]) - d.mean) * (static_cast<double>(x[i - 1]) - d.mean);
    CHECK(std::abs(covariance) < 4 * d.variance * std::sqrt(n));
}
/// draw(g) gives the same on one thread and on four.
template <class F>
void check_threads(const F& draw) {
    const int before = num_threads();
    set_num_threads(1);
    const auto alone = values(draw(generator(3, 5)));
    set_num_threads(4);
    const auto together = values(draw(generator(3, 5)));
    set_num_threads(before);
    CHECK(alone == together);
}
/// draw(n, g) depends, element by element, on the place in the stream alone.
template <class F>
void check_places(const F& draw) {
    const auto all = values(draw(700, generator(3)));
    std::size_t at = 0;
    for (const index_t n : {1, 2, 97, 600}) {
        const auto part = values(draw(n, generator(3, at)));
        REQUIRE(std::equal(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(at)));
        at += static_cast<std::size_t>(n);
    }
    CHECK(all != values(draw(700, generator(4))));
}

/// How often each of 0 ... n - 1 occurs, against probabilities.
template <class X>
void check_counts(const X& x, const std::vector<double>& probabilities) {
    std::vector<double> counts(probabilities.size());
    const auto all = values(x);
    for (const auto v : all) ++counts.at(static_cast<std::size_t>(v));
    CHECK(chi_square(counts, probabilities, static_cast<double>(all.size())) <
          golden::chi_square_bounds[counts.size() - 1]);
}

}  // namespace samples
