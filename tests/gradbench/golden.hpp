// PyTorch's results of GradBench's problems, for comparison.
#pragma once
#include "../golden/gradbench.hpp"

#include <algorithm>
#include <cmath>

#include <ricci/ricci.hpp>

/// Whether an array has the elements that PyTorch gives, to `tolerance` times the largest of them.
template <class E, std::size_t N>
bool as_torch(const E& e, const double (&expected)[N], double tolerance = 1e-12) {
    const auto x = ricci::evaluate(e);
    if (x.size() != static_cast<ricci::index_t>(N)) return false;
    const auto flat = ricci::reshape(x, {x.size()}).clone();
    double largest = 0;
    for (const double v : expected) largest = std::max(largest, std::abs(v));
    for (std::size_t i = 0; i < N; ++i)
        if (!(std::abs(flat.data()[i] - expected[i]) <= tolerance * largest)) return false;
    return true;
}
