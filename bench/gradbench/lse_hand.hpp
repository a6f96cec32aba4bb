// Log sum exp and its gradient in plain loops, as one would write them by hand.
#pragma once
#include <algorithm>
#include <cmath>

#include "lse.hpp"

namespace gradbench {

/// The value; with `bar`, the gradient there.
inline double lse_by_hand(index_t n, const double* x, double* bar) {
    const double largest = *std::max_element(x, x + n);
    double sum = 0;
    for (index_t i = 0; i < n; ++i) {
        const double e = std::exp(x[i] - largest);
        if (bar) bar[i] = e;
        sum += e;
    }
    if (bar)
        for (index_t i = 0; i < n; ++i) bar[i] /= sum;
    return std::log(sum) + largest;
}

}  // namespace gradbench
