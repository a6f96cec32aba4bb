// GradBench's GMM on ADBench's inputs: value and gradient against plain loops and against differences.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "../../bench/gradbench/gmm_hand.hpp"
#include "../../bench/gradbench/lse_hand.hpp"
#include "golden.hpp"

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
    CHECK(rc::evaluate(f(other.alphas, other.means, other.roots)).item() - hand(other, nullptr) ==
          doctest::Approx(constant).epsilon(1e-10));
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

TEST_CASE("gradbench: GMM against PyTorch") {
    const index_t n = 12, d = 3, k = 4;
    const gmm_data g{uniform(rc::shape<2>{n, d}, 1, -1, 1),
                     1.5,
                     2,
                     {uniform(rc::shape<1>{k}, 2, -1, 1), uniform(rc::shape<2>{k, d}, 3, -1, 1),
                      uniform(rc::shape<2>{k, d * (d + 1) / 2}, 4, -1, 1)}};
    const auto [value, gradient] =
        rc::value_and_grad(gmm_objective(g), rc::argnums<0, 1, 2>)(g.at.alphas, g.at.means, g.at.roots);
    CHECK(as_torch(value, golden::gradbench::gmm_value));
    CHECK(as_torch(std::get<0>(gradient), golden::gradbench::gmm_gradient0));
    CHECK(as_torch(std::get<1>(gradient), golden::gradbench::gmm_gradient1));
    CHECK(as_torch(std::get<2>(gradient), golden::gradbench::gmm_gradient2));
}
TEST_CASE("gradbench: LSE against PyTorch and plain loops") {
    const auto x = make_lse(7), bar = rc::empty<double>({7});
    const auto [value, gradient] = rc::value_and_grad([](const auto& v) { return log_sum_exp(v); })(x);
    CHECK(as_torch(value, golden::gradbench::lse_value));
    CHECK(as_torch(gradient, golden::gradbench::lse_gradient));
    CHECK(lse_by_hand(7, x.data(), bar.data()) == doctest::Approx(value.item()).epsilon(1e-14));
    CHECK(rc::allclose(gradient, bar, 1e-14, 1e-16));
}
