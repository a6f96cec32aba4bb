// What distributions draw: shapes, moments, fit to their cdf or probabilities, slopes of rsample.
#include "distributions.hpp"

namespace distribution_tests {
using namespace distribution_checks;
using distribution_checks::gamma, distribution_checks::normal, distribution_checks::uniform;
namespace {

constexpr index_t count = 40000;

/// Mean and variance of a sample within 5 standard errors; the fourth moment bounds that of the variance.
template <class D>
void check_moments(const D& d, const char* name) {
    CAPTURE(name);
    const auto x = evaluate(astype<double>(d.sample({count}, generator(7))));
    REQUIRE(x.shape() == shape<2>{count, 3});
    const auto m = evaluate(mean(x, 0)), deviation = evaluate(stddev(x, 0));
    const auto kurtosis = evaluate(mean(square(square((x - m) / deviation)), 0));
    const auto expected = evaluate(d.mean()), variance = evaluate(d.variance());
    for (int i = 0; i < 3; ++i) {
        CAPTURE(i);
        const double s = std::sqrt(variance.at(i)), root = std::sqrt(double(count));
        CHECK(std::abs(m.at(i) - expected.at(i)) < 5 * s / root);
        CHECK(std::abs(deviation.at(i) * deviation.at(i) / (s * s) - 1) < 5 * std::sqrt(kurtosis.at(i)) / root);
    }
}
/// Kolmogorov's distance: above 1.95 / sqrt(n) once in 1000 samples.
template <class D>
void check_fit(const D& d, const char* name) {
    CAPTURE(name);
    const auto x = sort(d.sample({count}, generator(11)), 0);
    const auto steps = (arange<double>(count) + 0.5) / double(count);
    const auto apart = max(abs(d.cdf(x) - steps(all, newaxis)));
    CHECK(double(apart) < 1.95 / std::sqrt(double(count)));
}

}  // namespace

TEST_CASE("distributions: moments of samples") {
    check_moments(normal(u, v), "normal");
    check_moments(laplace(u, v), "laplace");
    check_moments(gumbel(u, v), "gumbel");
    check_moments(student_t(w + 4.0, u, v), "student_t");
    check_moments(uniform(u, w + 1.0), "uniform");
    check_moments(exponential(v), "exponential");
    check_moments(gamma(u, v), "gamma");
    check_moments(chi2(w), "chi2");
    check_moments(inverse_gamma(w + 6.0, v), "inverse_gamma");
    check_moments(beta(u, v), "beta");
    check_moments(weibull(v, w), "weibull");
    check_moments(pareto(u, w + 6.0), "pareto");
    check_moments(log_normal(u, 0.3), "log_normal");
    check_moments(half_normal(v), "half_normal");
    check_moments(bernoulli(p), "bernoulli");
    check_moments(bernoulli(logits(u)), "bernoulli by logits");
    check_moments(binomial(tensor{3.0, 20.0, 100.0}, p), "binomial");
    check_moments(geometric(p), "geometric");
    check_moments(poisson(w), "poisson");
    check_moments(negative_binomial(v, p), "negative_binomial");
    check_moments(multinomial(20, v), "multinomial");
    check_moments(multinomial(20, logits(log(v))), "multinomial by logits");
}

TEST_CASE("distributions: samples fit the distribution function") {
    check_fit(normal(u, v), "normal");
    check_fit(cauchy(u, v), "cauchy");
    check_fit(half_cauchy(v), "half_cauchy");
    check_fit(student_t(w, u, v), "student_t");
    check_fit(gamma(u, v), "gamma");
    check_fit(inverse_gamma(w, v), "inverse_gamma");
    check_fit(pareto(u, w), "pareto");
    check_fit(beta(u, v), "beta");
}

TEST_CASE("distributions: probabilities sum to one, and samples have them") {
    const auto k = arange<double>(400)(all, newaxis);
    CHECK(allclose(sum(exp(poisson(w).log_prob(k)), 0), ones({3}), 1e-12));
    CHECK(allclose(sum(exp(negative_binomial(v, tensor{0.1, 0.5, 0.7}).log_prob(k)), 0), ones({3}), 1e-12));
    CHECK(allclose(sum(exp(geometric(p).log_prob(k)), 0), ones({3}), 1e-12));
    CHECK(allclose(sum(exp(binomial(50, p).log_prob(k)), 0), ones({3}), 1e-12));
    const auto drawn = categorical(v).sample({count}, generator(3));
    const auto share = v / sum(v);
    for (int i = 0; i < 3; ++i) {
        const double q = double(share(i)), seen = double(mean(astype<double>(drawn == i)));
        CHECK(std::abs(seen - q) < 5 * std::sqrt(q * (1 - q) / double(count)));
    }
}

TEST_CASE("distributions: vectors and mixtures") {
    const multivariate_normal d(u, S);
    const auto x = d.sample({count}, generator(5));
    REQUIRE(x.shape() == shape<2>{count, 3});
    CHECK(allclose(mean(x, 0), u, 0, 5 * std::sqrt(2.0 / double(count))));
    CHECK(allclose(cov(matrix_transpose(x)), S, 0, 5 * 3.0 / std::sqrt(double(count))));
    CHECK(multivariate_normal(A, S).sample({4, 5}).shape() == shape<4>{4, 5, 2, 3});
    CHECK(multivariate_normal(A, S).sample().shape() == shape<2>{2, 3});
    CHECK(dirichlet(v).sample({7}).shape() == shape<2>{7, 3});
    const auto counts = multinomial(20, logits(A)).sample({7, 5}, generator(1));
    REQUIRE(counts.shape() == shape<4>{7, 5, 2, 3});
    CHECK(all(sum(counts, -1) == 20).item());
    CHECK(all(counts >= 0).item());
    const mixture_same_family mixture{categorical(v), normal(u, w)};
    const auto y = mixture.sample({count}, generator(9));
    REQUIRE(y.shape() == shape<1>{count});
    const double m = double(mixture.mean()), s = std::sqrt(double(mixture.variance()));
    CHECK(std::abs(double(mean(y)) - m) < 5 * s / std::sqrt(double(count)));
    const auto fit = max(abs(mixture.cdf(sort(y)) - (arange<double>(count) + 0.5) / double(count)));
    CHECK(double(fit) < 1.95 / std::sqrt(double(count)));
    const mixture_same_family vectors{categorical(tensor{1.0, 3.0}), multivariate_normal(A, S)};
    const auto z = vectors.sample({count}, generator(2));
    REQUIRE(z.shape() == shape<2>{count, 3});
    CHECK(allclose(mean(z, 0), vectors.mean(), 0, 5 * std::sqrt(4.0 / double(count))));
    CHECK(independent<1>(normal(A, v)).sample({4}).shape() == shape<3>{4, 2, 3});
    // weights with more axes than the components
    const mixture_same_family many{categorical(logits(A)), normal(u, w)};
    CHECK(many.shape() == shape<1>{2});
    CHECK(many.sample({4}).shape() == shape<2>{4, 2});
    CHECK(allclose(many.mean(), sum(many.mixture.probs() * u, -1)));
    // above its diagonal a factor is not read
    const auto l = linalg::cholesky(S);
    const multivariate_normal by_factor(u, scale_tril(l)), full_factor(u, scale_tril(l + triu(ones({3, 3}), 1)));
    CHECK(allclose(full_factor.covariance(), S, 1e-14));
    CHECK(allclose(full_factor.sample({5}, generator(1)), by_factor.sample({5}, generator(1))));
}

TEST_CASE("distributions: rsample moves with its parameters, sample does not") {
    const auto draw = [](auto d) { return sum(d.rsample({50}, generator(1))); };
    const auto fixed = [](auto d) { return sum(d.sample({50}, generator(1))); };
    CHECK(allclose(grad([&](auto m) { return draw(normal(m, v)); })(u), full({3}, 50.0)));
    CHECK(allclose(grad([&](auto m) { return fixed(normal(m, v)); })(u), zeros({3})));
    // scale families: x is the scale times what does not depend on it
    const auto by_scale = [&](auto make) {
        CHECK(allclose(grad([&](auto s) { return draw(make(s)); })(v), sum(make(v).sample({50}, generator(1)), 0) / v,
                       1e-12));
    };
    by_scale([](auto s) { return laplace(0, s); });
    by_scale([](auto s) { return gumbel(0, s); });
    by_scale([](auto s) { return cauchy(0, s); });
    by_scale([](auto s) { return student_t(4.0, 0, s); });
    by_scale([](auto s) { return exponential(1 / s); });
    by_scale([](auto s) { return weibull(s, 2.0); });
    by_scale([](auto s) { return pareto(s, 3.0); });
    by_scale([](auto s) { return half_normal(s); });
    by_scale([](auto s) { return half_cauchy(s); });
    CHECK(allclose(grad([&](auto m) { return draw(von_mises(m, v)); })(u), full({3}, 50.0)));
    // the reparameterized gradient of E x^2 = m^2 + s^2
    const auto energy = [](auto m, auto s) { return mean(square(normal(m, s).rsample({count}, generator(4)))); };
    const auto [m_bar, s_bar] = grad(energy, argnums<0, 1>)(tensor<double, 0>(1.0), tensor<double, 0>(0.5));
    CHECK(m_bar.item() == doctest::Approx(2.0).epsilon(0.02));
    CHECK(s_bar.item() == doctest::Approx(1.0).epsilon(0.05));
}

}  // namespace distribution_tests
