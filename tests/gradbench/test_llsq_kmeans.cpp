// GradBench's llsq and k-means: values and derivatives against plain loops, and those against differences.
#include <doctest/doctest.h>

#include "../../bench/gradbench/kmeans_hand.hpp"
#include "../../bench/gradbench/llsq_hand.hpp"
#include "golden.hpp"

using namespace gradbench;

TEST_CASE("gradbench: llsq") {
    const index_t n = 65, m = 9;
    const auto x = make_llsq(m), expected = rc::empty<double>({m});
    const double by_hand = llsq_by_hand(n, m, x.data(), expected.data());
    const llsq_objective f(n, m);
    const auto [value, gradient] = rc::value_and_grad(f)(x);
    CHECK(value.item() == doctest::Approx(by_hand).epsilon(1e-13));
    CHECK(rc::allclose(gradient, expected, 1e-12, 1e-12));
    // central differences of a quadratic are exact but for rounding, 1e-16 times the value over h
    for (index_t j = 0; j < m; ++j) {
        const double h = 1e-2, kept = x.at(j);
        x.at(j) = kept + h;
        const double above = llsq_by_hand(n, m, x.data(), nullptr);
        x.at(j) = kept - h;
        const double below = llsq_by_hand(n, m, x.data(), nullptr);
        x.at(j) = kept;
        CHECK(std::abs(expected.at(j) - (above - below) / (2 * h)) < 1e-11 * by_hand);
    }
}

TEST_CASE("gradbench: k-means") {
    const index_t n = 120, d = 3, k = 7;
    const auto points = make_points(n, d), direction = rc::empty<double>({k, d});
    auto centroids = make_centroids(points, k);
    centroids += uniform(rc::shape<2>{k, d}, 5, -0.05, 0.05);
    const double by_hand = kmeans_by_hand(points, centroids, direction.data());
    const kmeans_objective f(points);
    CHECK(rc::evaluate(f(centroids)).item() == doctest::Approx(by_hand).epsilon(1e-13));
    CHECK(rc::allclose(f.direction(centroids), direction, 1e-12, 1e-13));

    // where no point changes its centroid the cost is quadratic: its differences are exact, rounding is 1e-16 over h^2
    const double h = 1e-4;
    for (index_t j = 0; j < k * d; ++j) {
        double& at = centroids.data()[j];
        const double kept = at;
        at = kept + h;
        const double above = kmeans_by_hand(points, centroids, nullptr);
        at = kept - h;
        const double below = kmeans_by_hand(points, centroids, nullptr);
        at = kept;
        const double first = (above - below) / (2 * h), second = (above - 2 * by_hand + below) / (h * h);
        CHECK(direction.data()[j] == doctest::Approx(first / second).epsilon(1e-4));
    }
}

TEST_CASE("gradbench: of equal centroids the first has the points") {
    const index_t k = 7;
    const auto points = make_points(120, 3);
    auto centroids = make_centroids(points, k);
    const auto alone = rc::grad(kmeans_objective(points))(centroids(rc::slice(0, k - 1)).clone());
    centroids(k - 1) = centroids(2).clone();
    const auto both = rc::grad(kmeans_objective(points))(centroids);
    CHECK(rc::allclose(both(rc::slice(0, k - 1)), alone, 1e-14, 1e-14));
    CHECK(rc::max(rc::abs(both(k - 1))).item() == 0);
}

TEST_CASE("gradbench: llsq and k-means against PyTorch") {
    const auto [value, gradient] = rc::value_and_grad(llsq_objective(11, 5))(make_llsq(5));
    CHECK(as_torch(value, golden::gradbench::llsq_value));
    CHECK(as_torch(gradient, golden::gradbench::llsq_gradient));

    const auto points = make_points(20, 3), centroids = make_centroids(points, 4);
    const kmeans_objective f(points);
    CHECK(as_torch(f(centroids), golden::gradbench::kmeans_value));
    CHECK(as_torch(f.direction(centroids), golden::gradbench::kmeans_direction));
}
