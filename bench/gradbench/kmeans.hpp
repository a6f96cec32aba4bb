// GradBench's k-means: the sum of square distances of points to their nearest centroid, and Newton's direction (Bottou,
// Bengio: Convergence properties of the k-means algorithms, 1994).
#pragma once
#include "inputs.hpp"

namespace gradbench {

class kmeans_objective {
   public:
    /// `points` (n, d).
    explicit kmeans_objective(const rc::tensor<double, 2>& points)
        : points_(points), transposed_(rc::evaluate(rc::matrix_transpose(points)).clone()) {}

    /// Of the centroids (k, d). Which of them is nearest has no derivative: only the distances to those have.
    template <class C>
    auto operator()(const C& centroids) const {
        return sum(square(points_ - rc::take(centroids, nearest(rc::stop_gradient(centroids)), 0)));
    }
    /// The gradient divided by the Hessian, which is diagonal: its product with ones has all of it.
    template <class C>
    auto direction(const C& centroids) const {
        const auto [gradient, diagonal] = rc::jvp(rc::grad(*this), centroids, rc::ones<double>(centroids.shape()));
        return rc::evaluate(gradient / diagonal);
    }

   private:
    template <class C>
    auto nearest(const C& centroids) const {
        using rc::all, rc::newaxis;
        return rc::argmin(sum(square(transposed_(newaxis) - centroids(all, all, newaxis)), 1), 0);
    }

    rc::tensor<double, 2> points_;      // (n, d)
    rc::tensor<double, 2> transposed_;  // so that points lie side by side in registers
};

inline rc::tensor<double, 2> make_points(index_t n, index_t d) { return uniform(rc::shape<2>{n, d}, 1); }
/// The last k points, so that each is nearest to one, as in the suite.
inline rc::tensor<double, 2> make_centroids(const rc::tensor<double, 2>& points, index_t k) {
    return points(rc::slice(points.shape(0) - k, rc::none)).clone();
}

}  // namespace gradbench
