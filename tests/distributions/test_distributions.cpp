// Distributions: outside of what they take, parameters that they have not, types, transforms.
#include "distributions.hpp"

#include "../transforms/derivatives.hpp"

namespace distribution_tests {
using namespace distribution_checks;
using distribution_checks::gamma, distribution_checks::normal, distribution_checks::uniform;

TEST_CASE("distributions: numbers give numbers, arrays keep their type") {
    const normal standard(0, 1);
    static_assert(std::is_same_v<decltype(standard.log_prob(0.5)), double>);
    CHECK(standard.log_prob(0) == doctest::Approx(-0.5 * std::log(2 * std::numbers::pi)).epsilon(1e-15));
    CHECK(standard.mean() == 0.0);
    CHECK(standard.shape().count() == 1);
    const normal narrow(tensor<float, 1>{0, 1}, 2.0);
    static_assert(std::is_same_v<decltype(narrow.log_prob(0.5))::value_type, float>);
    static_assert(std::is_same_v<decltype(narrow.sample({3}))::value_type, float>);
    const normal whole(tensor<int, 1>{0, 1}, 2);
    static_assert(std::is_same_v<decltype(whole.log_prob(1))::value_type, double>);
    CHECK(gamma(2.0, tensor{1.0, 2.0}).mean().shape() == shape<1>{2});
    CHECK(allclose(cauchy(tensor{1.0, 2.0}, 1.0).entropy(), full({2}, std::log(4 * std::numbers::pi))));
}

TEST_CASE("distributions: nothing is outside of what they take, and NaN stays NaN") {
    CHECK(exponential(2.0).log_prob(-0.1) == -infinity);
    CHECK(exponential(2.0).cdf(-0.1) == 0);
    CHECK(gamma(2.0, 1.0).log_prob(-1) == -infinity);
    CHECK(gamma(1.0, 1.0).log_prob(0) == 0);
    CHECK(gamma(2.0, 1.0).log_prob(0) == -infinity);
    CHECK(gamma(0.5, 1.0).log_prob(0) == infinity);
    CHECK(beta(2.0, 2.0).log_prob(1.5) == -infinity);
    CHECK(beta(1.0, 1.0).log_prob(1) == 0);
    CHECK(beta(2.0, 3.0).cdf(2) == 1);
    CHECK(uniform(0, 2).log_prob(3) == -infinity);
    CHECK(uniform(0, 2).cdf(3) == 1);
    CHECK(log_normal(0, 1).log_prob(0) == -infinity);
    CHECK(log_normal(0, 1).cdf(-1) == 0);
    CHECK(pareto(1.0, 2.0).log_prob(0.5) == -infinity);
    CHECK(pareto(1.0, 2.0).cdf(0.5) == 0);
    CHECK(weibull(1.0, 2.0).log_prob(-1) == -infinity);
    CHECK(inverse_gamma(2.0, 1.0).log_prob(0) == -infinity);
    CHECK(inverse_gamma(2.0, 1.0).cdf(0) == 0);
    CHECK(inverse_gamma(2.0, 1.0).log_prob(infinity) == -infinity);
    CHECK(dirichlet(v).log_prob(tensor{0.5, 0.7, -0.2}).item() == -infinity);
    CHECK(std::isnan(dirichlet(v).log_prob(tensor{0.5, 0.7, not_a_number}).item()));
    CHECK(multinomial(3, v).log_prob(tensor{1, 1, 2}).item() == -infinity);
    CHECK(multinomial(3, v).log_prob(tensor{4, -1, 0}).item() == -infinity);
    CHECK(multinomial(3, v).log_prob(tensor{1.5, 1.5, 0.0}).item() == -infinity);
    CHECK(multinomial(0, v).log_prob(tensor{0, 0, 0}).item() == 0);
    CHECK(multinomial(2, tensor{0.0, 1.0}).log_prob(tensor{0, 2}).item() == 0);
    CHECK(multinomial(2, tensor{0.0, 1.0}).log_prob(tensor{1, 1}).item() == -infinity);
    CHECK(bernoulli(0.3).cdf(-0.1) == 0);
    CHECK(bernoulli(0.3).cdf(0.5) == 0.7);
    CHECK(bernoulli(0.3).cdf(1) == 1);
    CHECK(binomial(3, 0.5).cdf(1.5) == doctest::Approx(0.5));
    CHECK(binomial(3, 0.5).cdf(-1) == 0);
    CHECK(binomial(3, 0.5).cdf(3) == 1);
    CHECK(geometric(0.5).cdf(-1) == 0);
    CHECK(geometric(1.0).cdf(0) == 1);
    CHECK(negative_binomial(2.0, 0.5).cdf(-1) == 0);
    CHECK(half_normal(1.0).log_prob(-1) == -infinity);
    CHECK(poisson(2.0).log_prob(1.5) == -infinity);
    CHECK(poisson(0.0).log_prob(0) == 0);
    CHECK(poisson(2.0).cdf(-1) == 0);
    CHECK(bernoulli(0.3).log_prob(2) == -infinity);
    CHECK(bernoulli(1.0).log_prob(1) == 0);
    CHECK(bernoulli(1.0).log_prob(0) == -infinity);
    CHECK(binomial(3, 0.5).log_prob(4) == -infinity);
    CHECK(geometric(1.0).log_prob(0) == 0);
    CHECK(geometric(0.5).log_prob(-1) == -infinity);
    for (const double value :
         {exponential(2.0).log_prob(not_a_number), uniform(0, 1).log_prob(not_a_number), normal(0, 1).icdf(1.5),
          exponential(1.0).icdf(-0.1), bernoulli(0.5).cdf(not_a_number), binomial(3, 0.5).cdf(not_a_number),
          geometric(0.5).cdf(not_a_number), negative_binomial(2.0, 0.5).cdf(not_a_number), half_normal(1.0).icdf(2),
          beta(2.0, 2.0).log_prob(not_a_number)})
        CHECK(std::isnan(value));
    CHECK(normal(0, 1).icdf(1) == infinity);
    CHECK(student_t(0.5).variance() != student_t(0.5).variance());
    CHECK(student_t(1.5).variance() == infinity);
    CHECK(pareto(1.0, 0.5).mean() == infinity);
}

TEST_CASE("distributions: parameters that they do not have") {
    CHECK_THROWS_WITH_AS(normal(0, 0.0), "[normal] the scale must be positive: 0", value_error);
    CHECK_THROWS_AS(normal(0, not_a_number), value_error);
    CHECK_THROWS_AS(gamma(v, tensor{1.0, -1.0, 2.0}), value_error);
    CHECK_THROWS_AS(uniform(1, 1), value_error);
    CHECK_THROWS_AS(bernoulli(1.5), value_error);
    CHECK_THROWS_AS(binomial(2.5, 0.5), value_error);
    CHECK_THROWS_AS(geometric(0.0), value_error);
    CHECK_THROWS_AS(negative_binomial(2.0, 1.0), value_error);
    CHECK_THROWS_AS(categorical(tensor{0.0, 0.0}), value_error);
    CHECK_THROWS_AS(categorical(v).log_prob(3), value_error);
    CHECK_THROWS_AS(normal(v, tensor{1.0, 2.0}), shape_error);
    CHECK_THROWS_AS(dirichlet(tensor{1.0, 0.0}), value_error);
    CHECK_THROWS_AS(von_mises(0, 0), value_error);
    CHECK_THROWS_AS(multinomial(-1, v), value_error);
    CHECK_THROWS_AS(multivariate_normal(u, eye(2)), shape_error);
    CHECK_THROWS_AS(scale_tril(-eye(3)), value_error);
    CHECK_THROWS_AS(multivariate_normal(u, -eye(3)), linalg_error);
    CHECK_THROWS_AS(mixture_same_family(categorical(v), normal(tensor{1.0, 2.0}, 1.0)), shape_error);
}

TEST_CASE("distributions: under grad, hessian, vmap and their nests") {
    const auto surprise = [](auto m, auto s) { return -sum(normal(m, s).log_prob(reals)); };
    const auto [m_bar, s_bar] = grad(surprise, argnums<0, 1>)(tensor<double, 0>(0.4), tensor<double, 0>(1.3));
    const double m = 0.4, s = 1.3;
    double slope_m = 0, slope_s = 0;
    for (int i = 0; i < 3; ++i) {
        const double z = (reals.at(i) - m) / s;
        slope_m -= z / s;
        slope_s -= (z * z - 1) / s;
    }
    CHECK(m_bar.item() == doctest::Approx(slope_m).epsilon(1e-14));
    CHECK(s_bar.item() == doctest::Approx(slope_s).epsilon(1e-14));
    // Fisher's information of a Poisson rate is one over it: the mean of the second derivative, at x = rate
    CHECK(hessian([](auto rate) { return sum(poisson(rate).log_prob(2)); })(tensor{2.0}).at(0, 0) ==
          doctest::Approx(-0.5).epsilon(1e-14));
    const auto by_member = vmap([](auto a, auto b) { return gamma(a, b).log_prob(positives); })(u, v);
    const auto together = gamma(u(all, newaxis), v(all, newaxis)).log_prob(positives);
    CHECK(allclose(by_member, together, 1e-14));
    const auto slopes = vmap(grad([](auto a) { return sum(beta(a, 2.0).log_prob(units)); }))(v);
    for (int i = 0; i < 3; ++i)
        CHECK(slopes.at(i) ==
              doctest::Approx(
                  slope([](auto a) { return beta(a, 2.0).log_prob(units); }, tensor<double, 0>(v.at(i))).item())
                  .epsilon(1e-13));
    // of logits, categories of each member
    const auto chosen = vmap([](auto l, auto k) { return categorical(logits(l)).log_prob(k); })(A, tensor{2, 0});
    CHECK(allclose(chosen, categorical(logits(A)).log_prob(tensor{2, 0}), 1e-14));
    // mixtures' responsibilities are the slopes in the logarithms of the weights
    const auto responsibility = grad(
        [](auto l) { return sum(mixture_same_family(categorical(logits(l)), normal(u, w)).log_prob(0.7)); })(log(v));
    const auto joint = evaluate(v / sum(v) * exp(normal(u, w).log_prob(0.7)));
    CHECK(allclose(responsibility, joint / sum(joint) - v / sum(v), 1e-12, 1e-14));
    // what is not drawn from has no slope through the branch that is not taken
    CHECK(slope([](auto a) { return gamma(a, 1.0).log_prob(tensor{-1.0, 2.0}); }, tensor<double, 0>(2.0)).item() ==
          doctest::Approx(std::log(2.0) - (1 - std::numbers::egamma)).epsilon(1e-13));
}

TEST_CASE("distributions: the chain of Normal's KL divergence through a variational bound") {
    const auto bound = [](auto m, auto s) { return sum(kl_divergence(normal(m, s), normal(0, 1))); };
    const auto [m_bar, s_bar] = grad(bound, argnums<0, 1>)(u, v);
    CHECK(allclose(m_bar, u, 1e-14));
    CHECK(allclose(s_bar, v - 1 / v, 1e-14));
    CHECK(kl_divergence(uniform(0, 2), uniform(0, 1)) == infinity);
    CHECK(kl_divergence(poisson(0.0), poisson(0.0)) == 0);
    CHECK(kl_divergence(poisson(1.0), poisson(0.0)) == infinity);
    // numbers beside arrays
    CHECK(allclose(kl_divergence(gamma(u, 2.0), gamma(1.5, v)),
                   kl_divergence(gamma(u, full({3}, 2.0)), gamma(full({3}, 1.5), v))));
    CHECK(allclose(kl_divergence(beta(2.0, v), beta(u, 1.5)),
                   kl_divergence(beta(full({3}, 2.0), v), beta(u, full({3}, 1.5)))));
    CHECK(allclose(kl_divergence(weibull(1.0, v), weibull(u, 2.0)),
                   kl_divergence(weibull(ones({3}), v), weibull(u, full({3}, 2.0)))));
    CHECK(allclose(kl_divergence(laplace(0, v), laplace(u, 1)),
                   kl_divergence(laplace(zeros({3}), v), laplace(u, ones({3})))));
    // Weibull's of shape 1 is the exponential one's
    CHECK(kl_divergence(weibull(2.0, 1.0), weibull(3.0, 1.0)) ==
          doctest::Approx(kl_divergence(exponential(0.5), exponential(1 / 3.0))).epsilon(1e-14));
}

}  // namespace distribution_tests
