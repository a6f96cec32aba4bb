// GradBench's k-means, timed; the gradient is Newton's direction, with second derivatives.
#include "kmeans_hand.hpp"
#include "problems.hpp"

namespace gradbench {

void time_kmeans(index_t n, index_t d, index_t k) {
    const auto points = make_points(n, d), centroids = make_centroids(points, k), direction = rc::empty<double>({k, d});
    const kmeans_objective f(points);
    volatile double kept = 0;
    print_line("k-means k=" + std::to_string(k) + " n=" + std::to_string(n) + " d=" + std::to_string(d),
               {[&] { kept = rc::evaluate(f(centroids)).item(); }, [&] { (void)f.direction(centroids); }},
               {[&] { kept = kmeans_by_hand(points, centroids, nullptr); },
                [&] { kept = kmeans_by_hand(points, centroids, direction.data()); }},
               torch_kmeans(points.data(), centroids.data(), n, d, k));
}

}  // namespace gradbench
