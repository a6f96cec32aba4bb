// The least squares objective and its gradient in plain loops, as one would write them by hand.
#pragma once
#include <algorithm>

#include "llsq.hpp"

namespace gradbench {

/// The value; with `bar`, the gradient there.
inline double llsq_by_hand(index_t n, index_t m, const double* x, double* bar) {
    if (bar) std::fill(bar, bar + m, 0.0);
    double total = 0;
    for (index_t i = 0; i < n; ++i) {
        const double t = -1 + 2 * double(i) / double(n - 1);
        double residual = (t > 0) - (t < 0), power = 1;
        for (index_t j = 0; j < m; ++j, power *= t) residual -= x[j] * power;
        total += residual * residual;
        if (bar) {
            power = residual;
            for (index_t j = 0; j < m; ++j, power *= t) bar[j] -= power;
        }
    }
    return 0.5 * total;
}

}  // namespace gradbench
