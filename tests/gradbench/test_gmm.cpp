// GradBench's GMM on ADBench's inputs: value and gradient against plain loops and against differences.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "../../bench/gradbench/gmm_hand.hpp"

using namespace gradbench;

namespace {

void check_gmm(const std::string& name) {
    const std::string path = std::string(RICCI_TEST_DATA) + "/adbench/" + name;
    if (!std::filesystem::exists(path)) {
        MESSAGE("skipped: there is no " << path);
        return;
    }
    const gmm_data g = read_gmm(path);
    const gmm_objective f(g);
    const auto [value, gradient] = rc::value_and_grad(f, rc::argnums<0, 1, 2>)(g.at.alphas, g.at.means, g.at.roots);
    const auto& [alphas, means, roots] = gradient;

    gmm_by_hand hand(g);
    const gmm_parameters bar{rc::zeros<double>(g.at.alphas.shape()), rc::zeros<double>(g.at.means.shape()),
                             rc::zeros<double>(g.at.roots.shape())};
    const double by_hand = hand(g.at, &bar);
    // the plain loops leave out the constant: what is left must not depend on the parameters
    gmm_parameters other = g.at;
    other.alphas = rc::evaluate(g.at.alphas * 0.5);
    other.roots = rc::evaluate(g.at.roots * 0.5);
    const double constant = value.item() - by_hand;
    CHECK(rc::evaluate(f(other.alphas, other.means, other.roots)).item() - hand(other, nullptr) == doctest::Approx(constant).epsilon(1e-10));
    // sums of a thousand terms of the size of the gradient: 1e-10 leaves three digits for cancellation
    CHECK(rc::allclose(alphas, bar.alphas, 1e-10, 1e-9));
    CHECK(rc::allclose(means, bar.means, 1e-10, 1e-9));
    CHECK(rc::allclose(roots, bar.roots, 1e-10, 1e-9));

    // along a random direction; h^2 for the truncation, the value's 1e-12 over h for rounding
    const auto v = rc::randn_like(g.at.roots, rc::generator(7));
    const double h = 1e-5;
    const double above = rc::evaluate(f(g.at.alphas, g.at.means, rc::evaluate(g.at.roots + h * v))).item();
    const double below = rc::evaluate(f(g.at.alphas, g.at.means, rc::evaluate(g.at.roots - h * v))).item();
    CHECK(rc::evaluate(rc::sum(roots * v)).item() == doctest::Approx((above - below) / (2 * h)).epsilon(1e-6));
}

}  // namespace

TEST_CASE("gradbench: GMM with 2 dimensions and 5 components") { check_gmm("gmm_d2_K5.txt"); }
TEST_CASE("gradbench: GMM with 10 dimensions and 25 components") { check_gmm("gmm_d10_K25.txt"); }
