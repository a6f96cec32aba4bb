// dirichlet, multivariate_normal: SciPy's marginal distributions, shapes, derivatives, batches, errors.
#include "random.hpp"

using namespace samples;

TEST_CASE("random: Dirichlet's vectors have sum 1 and the marginals of beta") {
    generator g(3);
    const auto x = random::dirichlet(tensor<double, 1>{2, 4, 1}, {many}, g);
    CHECK(x.shape() == shape<2>{many, 3});
    check_sample("beta(2, 5)", x(ricci::all, 0));
    CHECK(allclose(sum(x, 1), ones<double>({many}), 1e-15, 1e-15));
    check_sample("beta(0.5, 0.5)", random::dirichlet(tensor<double, 1>{0.5, 0.5}, {many}, g)(ricci::all, 1));
    check_sample("beta(0.05, 3)", random::dirichlet(tensor<float, 1>{1, 0.05f, 2}, {many}, g)(ricci::all, 1));
    // in the limit one element is 1, with chances in proportion to the parameters
    const auto tiny = random::dirichlet(tensor<double, 1>{1e-310, 3e-310}, {many}, g);
    check_counts(astype<std::int64_t>(tiny(ricci::all, 1)), {0.25, 0.75});
    check_threads([](generator from) { return random::dirichlet(ones<double>({3}), {30000}, from); });
    const tensor<int, 2> lines{{1, 2, 3}, {1, 1, 1}};
    CHECK(random::dirichlet(lines, g).shape() == shape<2>{2, 3});
    CHECK(random::dirichlet(lines, {5, 2}, g).shape() == shape<3>{5, 2, 3});
}

TEST_CASE("random: normal vectors are the mean and the Cholesky factor times normal numbers") {
    const tensor<double, 1> mean{1, -2};
    const tensor<double, 2> c{{4, 1}, {1, 2}}, l{{2, 0}, {0.5, std::sqrt(1.75)}};
    CHECK(allclose(random::multivariate_normal(mean, c, generator(1)),
                   mean + matmul(l, randn<double>({2}, generator(1))), 1e-14, 1e-14));
    const auto z = randn<double>({3, 5, 2}, generator(2));
    CHECK(allclose(random::multivariate_normal(mean, c, {3, 5}, generator(2)), mean + matmul(z, l.T()), 1e-14, 1e-14));
    const auto matrices = stack(std::make_tuple(c, 4 * c, c, c, c));
    const auto stacked = random::multivariate_normal(zeros<double>({5, 2}), matrices, {3, 5}, generator(2));
    const auto factors = tensor<double, 1>{1, 2, 1, 1, 1};
    CHECK(allclose(stacked, matmul(z, l.T()) * factors(ricci::all, newaxis), 1e-14, 1e-14));
    const auto many_of = random::multivariate_normal(mean, c, {many}, generator(4));
    CHECK(allclose(cov(many_of.T()), c, 0, 4 * std::sqrt(32.0 / many)));  // the variance of a variance 2 sigma^4 / n
    const auto f = random::multivariate_normal(astype<float>(mean), astype<float>(c), generator(1));
    static_assert(std::is_same_v<decltype(f), const tensor<float, 1>>);
    check_threads([&](generator from) { return random::multivariate_normal(mean, c, {30000}, from); });
}

TEST_CASE("random: derivatives and batches of vectors") {
    const tensor<double, 1> mean{1, -2};
    const tensor<double, 2> c{{4, 1}, {1, 2}};
    const auto draw = [](auto m, auto a) {
        return random::multivariate_normal(m, matmul(a, matrix_transpose(a)), {3}, generator(1));
    };
    CHECK(gradcheck(draw, std::make_tuple(mean, c)));
    CHECK(gradgradcheck<gradcheck_mode::backward>(draw, std::make_tuple(mean, c)));
    CHECK(array_equal(grad([](auto a) { return sum(a * random::dirichlet(a, generator(1))); })(exp(mean)),
                      random::dirichlet(exp(mean), generator(1))));
    const auto means = stack(std::make_tuple(mean, mean, 2 * mean));
    const auto each = vmap([&](auto m) { return random::multivariate_normal(m, c, generator(1)); },
                           {.randomness = randomness::different})(means);
    CHECK(allclose(each, random::multivariate_normal(means, c, generator(1)), 1e-14, 1e-14));
    const auto simplex = vmap([](auto m) { return random::dirichlet(m, generator(1)); },
                              {.randomness = randomness::different})(exp(means));
    CHECK(allclose(simplex, random::dirichlet(exp(means), generator(1)), 1e-14, 1e-14));
}

TEST_CASE("random: vectors that there are not") {
    generator g(1);
    const tensor<double, 2> c{{4, 1}, {1, 2}};
    CHECK_THROWS_WITH_AS(random::dirichlet(tensor<double, 1>{1, 0}, g), "[dirichlet] a parameter must be positive: 0",
                         value_error);
    CHECK_THROWS_AS(random::dirichlet(zeros<double>({2, 0}), g), value_error);
    CHECK_THROWS_WITH_AS(random::dirichlet(ones<double>({2, 3}), {4, 5}, g),
                         "[dirichlet] parameters of leading axes (2,) do not broadcast to shape (4, 5)", shape_error);
    CHECK_THROWS_WITH_AS(random::multivariate_normal(ones<double>({3}), c, g),
                         "[multivariate_normal] a mean (3,) does not fit a covariance (2, 2): 3 != 2", shape_error);
    CHECK_THROWS_AS(random::multivariate_normal(ones<double>({2}), -c, g), linalg_error);
    CHECK(g.offset() == 0);
}
