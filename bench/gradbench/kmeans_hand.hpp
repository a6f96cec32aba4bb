// k-means' cost and direction in plain loops, as one would write them by hand.
#pragma once
#include <limits>
#include <vector>

#include "kmeans.hpp"

namespace gradbench {

/// The cost; with `direction` (k, d), Newton's direction there: the sum of 2 (c - p) over the points of a centroid,
/// divided by twice their number.
inline double kmeans_by_hand(const rc::tensor<double, 2>& points, const rc::tensor<double, 2>& centroids,
                             double* direction) {
    const index_t n = points.shape(0), d = points.shape(1), k = centroids.shape(0);
    std::vector<double> count(std::size_t(k), 0.0);
    if (direction) std::fill(direction, direction + k * d, 0.0);
    double cost = 0;
    for (index_t i = 0; i < n; ++i) {
        const double* p = points.data() + i * d;
        double least = std::numeric_limits<double>::infinity();
        index_t nearest = 0;
        for (index_t j = 0; j < k; ++j) {
            const double* c = centroids.data() + j * d;
            double square = 0;
            for (index_t e = 0; e < d; ++e) square += (p[e] - c[e]) * (p[e] - c[e]);
            if (square < least) least = square, nearest = j;
        }
        cost += least;
        if (!direction) continue;
        count[std::size_t(nearest)] += 1;
        for (index_t e = 0; e < d; ++e) direction[nearest * d + e] += centroids.data()[nearest * d + e] - p[e];
    }
    if (direction)
        for (index_t j = 0; j < k * d; ++j) direction[j] /= count[std::size_t(j / d)];
    return cost;
}

}  // namespace gradbench
