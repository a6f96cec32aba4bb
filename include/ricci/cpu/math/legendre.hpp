// Nodes and weights of Gauss's quadrature.
#pragma once
#include <cmath>

namespace ricci::detail {

/// Of n nodes on [-1, 1], ascending: the roots of Legendre's polynomial by Newton's method from Tricomi's
/// approximation.
inline void gauss_legendre_rule(long n, double* nodes, double* weights) {
    for (long i = 0; i < (n + 1) / 2; ++i) {
        const double m = static_cast<double>(n);
        double x = (1 - (m - 1) / (8 * m * m * m)) *
                   std::cos(3.14159265358979323846 * (static_cast<double>(i) + 0.75) / (m + 0.5));
        double slope = 1;
        for (int step = 0; step < 10; ++step) {
            double p = 1, before = 0;
            for (long k = 1; k <= n; ++k) {
                const double next =
                    ((2.0 * static_cast<double>(k) - 1) * x * p - (static_cast<double>(k) - 1) * before) /
                    static_cast<double>(k);
                before = p;
                p = next;
            }
            slope = m * (x * p - before) / (x * x - 1);
            const double change = p / slope;
            x -= change;
            if (std::abs(change) < 1e-15) break;  // less than half a digit is left
        }
        if (2 * i + 1 == n) x = 0;
        nodes[n - 1 - i] = x;
        nodes[i] = -x;
        weights[i] = weights[n - 1 - i] = 2 / ((1 - x * x) * slope * slope);
    }
}

}  // namespace ricci::detail
