// uniform, normal, exponential, gamma, beta, truncated_normal: SciPy's distributions, parameters, derivatives, errors.
#include "random.hpp"

using namespace samples;

TEST_CASE_TEMPLATE("random: samples follow SciPy's distributions", T, float, double) {
    generator g(1);
    const shape<1> n{many};
    check_sample("uniform(-2, 3)", random::uniform<T>(-2, 3, n, g));
    check_sample("normal(1.5, 0.5)", random::normal<T>(1.5, 0.5, n, g));
    check_sample("exponential(2)", random::exponential<T>(2, n, g));
    const auto gamma = [&](double k, double scale) { return random::gamma<T>(k, scale, n, g); };
    check_sample("gamma(0.05, 1)", gamma(0.05, 1));
    check_sample("gamma(0.5, 2)", gamma(0.5, 2));
    check_sample("gamma(1, 1)", gamma(1, 1));
    check_sample("gamma(3.7, 0.25)", gamma(3.7, 0.25));
    check_sample("gamma(1000, 1)", gamma(1000, 1));
    const auto beta = [&](double a, double b) { return random::beta<T>(a, b, n, g); };
    check_sample("beta(0.5, 0.5)", beta(0.5, 0.5));
    check_sample("beta(2, 5)", beta(2, 5));
    check_sample("beta(0.05, 3)", beta(0.05, 3));
    check_sample("beta(300, 200)", beta(300, 200));
    const auto truncated = [&](double mean, double stddev, double low, double high) {
        const auto x = random::truncated_normal<T>(mean, stddev, low, high, n, g);
        static_assert(std::is_same_v<decltype(x), const tensor<T, 1>>);
        CHECK(static_cast<double>(min(x).item()) >= low);
        CHECK(static_cast<double>(max(x).item()) <= (std::is_same_v<T, float> ? static_cast<float>(high) : high));
        return x;
    };
    check_sample("truncated_normal(0, 1, -1, 2)", truncated(0, 1, -1, 2));
    check_sample("truncated_normal(0, 1, -0.5, 0.5)", truncated(0, 1, -0.5, 0.5));
    check_sample("truncated_normal(2, 3, -inf, 0.5)", truncated(2, 3, -inf, 0.5));
    check_sample("truncated_normal(0, 1, 3, inf)", truncated(0, 1, 3, inf));
    check_sample("truncated_normal(0, 1, 8, 8.1)", truncated(0, 1, 8, 8.1));
    check_sample("truncated_normal(0, 1, -30, -20)", truncated(0, 1, -30, -20));
    check_sample("truncated_normal(0, 1, -0.1, inf)", truncated(0, 1, -0.1, inf));
    CHECK(g.offset() == 19 * many);
}

TEST_CASE("random: an element depends on its place alone, on any number of threads") {
    const auto check = [](const auto& draw) {
        check_threads([&](generator g) { return draw(70000, g); });
        check_places(draw);
    };
    check([](index_t n, generator g) { return random::uniform(1, 2, {n}, g); });
    check([](index_t n, generator g) { return random::normal<float>(1, 2, {n}, g); });
    check([](index_t n, generator g) { return random::exponential(2, {n}, g); });
    check([](index_t n, generator g) { return random::gamma(0.5, 2, {n}, g); });
    check([](index_t n, generator g) { return random::beta(0.5, 2, {n}, g); });
    check([](index_t n, generator g) { return random::truncated_normal(0, 1, 1, 2, {n}, g); });
}

TEST_CASE("random: parameters broadcast; the sample has their shape or the one given, their type or the one given") {
    const tensor<float, 2> mean{{1}, {2}, {3}};
    const tensor<double, 1> stddev{0.5, 1, 2, 0};
    const auto z = randn<double>({3, 4}, generator(1));
    const auto x = random::normal(mean, stddev, generator(1));
    static_assert(std::is_same_v<decltype(x), const tensor<double, 2>>);
    CHECK(allclose(x, mean + stddev * z, 1e-15, 1e-15));
    const auto y = random::normal(permute(mean, {1, 0}), 2, generator(1));  // numbers are weak
    static_assert(std::is_same_v<decltype(y), const tensor<float, 2>>);
    CHECK(y.shape() == shape<2>{1, 3});
    const auto larger = random::normal(mean, stddev, {2, 3, 4}, generator(1));
    CHECK(allclose(larger, mean + stddev * randn<double>({2, 3, 4}, generator(1)), 1e-15, 1e-15));
    CHECK(random::normal<float>(mean, stddev, {3, 4}).shape() == shape<2>{3, 4});
    const tensor<int, 1> high{1, 2};
    CHECK(allclose(random::uniform(0, high, generator(1)), rand<double>({2}, generator(1)) * high, 1e-15, 1e-15));
    const double one = random::normal(10, 0.1, generator(1));  // of numbers alone: a number
    CHECK(std::abs(one - 10) < 1);
    CHECK(values(random::gamma(stddev, 1.0, generator(1))).back() == 0);
    CHECK(values(random::gamma(stddev, 0.0, generator(1))) == std::vector<double>(4));
    CHECK(values(random::exponential(stddev, generator(1))).back() == 0);
    manual_seed(9);
    const auto first = values(random::beta(1, 2, {5}));
    manual_seed(9);
    CHECK(values(random::beta(1, 2, {5})) == first);
    manual_seed(0);
    CHECK(random::gamma(1, 1, {0, 3}).shape() == shape<2>{0, 3});
    CHECK(random::normal(zeros<double>({0}), 1).size() == 0);
    CHECK(random::uniform(0, 1, shape<0>{}).size() == 1);
}

TEST_CASE("random: what rounding could do to bounds") {
    const float next = std::nextafter(1.0f, 2.0f);
    CHECK(values(random::uniform<float>(1, next, {1000})) == std::vector<float>(1000, 1.0f));
    CHECK(max(random::uniform<float>(full<float>({10000}, -3), 1e-7f)).item() < 1e-7f);
    CHECK(values(random::uniform(2, 2, {3})) == std::vector<double>(3, 2));
    const auto far = random::truncated_normal(0, 1, 1e10, inf, {1000});
    CHECK(min(far).item() >= 1e10);
    CHECK(max(far).item() < 1e10 + 1);
    CHECK(min(random::gamma(1e-300, 1, {1000})).item() == 0);
    const auto extreme = random::beta(1e-300, 3e-300, {many});  // 0 or 1, the latter for a / (a + b) of them
    CHECK(sum(extreme * (1 - extreme)).item() == 0);
    CHECK(std::abs(mean(extreme).item() - 0.25) < 4 * std::sqrt(0.25 * 0.75 / many));
}

TEST_CASE("random: derivatives in location and scale, none in other parameters") {
    const auto a = tensor<double, 1>{0.5, 1, 2};
    const auto z = randn<double>({3}, generator(1)), u = rand<double>({3}, generator(1));
    const auto of_normal = [](auto m, auto s) { return sum(random::normal(m, s, generator(1))); };
    CHECK(allclose(grad(of_normal)(a, a), ones<double>({3})));
    CHECK(allclose(grad([&](auto s) { return of_normal(a, s); })(a), z));
    const auto of_uniform = [&](auto low) { return sum(random::uniform(low, 2 * low, generator(1))); };
    CHECK(allclose(grad(of_uniform)(a), 1 + u));
    CHECK(allclose(grad([](auto s) { return sum(random::exponential(s, generator(1))); })(a), -log1p(-u)));
    const auto of_gamma = [&](auto k) { return sum(random::gamma(k, k, generator(1))); };
    CHECK(allclose(grad(of_gamma)(a), random::gamma(a, 1.0, generator(1))));
    CHECK(allclose(std::get<1>(jvp(of_gamma, a, a)), of_gamma(a)));
    CHECK(allclose(grad([](auto k) { return sum(k * random::beta(k, 1.0, generator(1))); })(a),
                   random::beta(a, 1.0, generator(1))));
    CHECK(allclose(grad([](auto k) { return sum(k * random::truncated_normal(k, k, -1.0, k, generator(1))); })(a),
                   random::truncated_normal(a, a, -1.0, a, generator(1))));
}

TEST_CASE("random: parameters that a distribution does not have") {
    generator g(1);
    const tensor<double, 1> wrong{1, -2, 3}, nan{1, std::nan(""), 3};
    CHECK_THROWS_WITH_AS(random::normal(0, wrong, g), "[normal] the standard deviation must not be negative: -2",
                         value_error);
    CHECK_THROWS_AS(random::normal(0, nan, g), value_error);
    CHECK_THROWS_WITH_AS(random::uniform(1, 0.5, {3}, g), "[uniform] high - low must not be negative: -0.5", value_error);
    CHECK_THROWS_WITH_AS(random::uniform(wrong, inf, g), "[uniform] high must be finite: inf", value_error);
    CHECK_THROWS_WITH_AS(random::exponential(-1, g), "[exponential] the scale must not be negative: -1", value_error);
    CHECK_THROWS_WITH_AS(random::gamma(wrong, 1, g), "[gamma] the shape parameter must not be negative: -2", value_error);
    CHECK_THROWS_WITH_AS(random::gamma(1, wrong, g), "[gamma] the scale must not be negative: -2", value_error);
    CHECK_THROWS_WITH_AS(random::beta(0, 1, g), "[beta] the parameter a must be positive: 0", value_error);
    CHECK_THROWS_AS(random::beta(1, wrong, g), value_error);
    CHECK_THROWS_WITH_AS(random::truncated_normal(0, 1, 2, 2, g), "[truncated_normal] low must be less than high",
                         value_error);
    CHECK_THROWS_WITH_AS(random::truncated_normal(0, 1, 0, nan, g), "[truncated_normal] low must be less than high",
                         value_error);
    CHECK_THROWS_WITH_AS(random::truncated_normal(0, 0, 0, 1, g),
                         "[truncated_normal] the standard deviation must be positive: 0", value_error);
    CHECK_THROWS_WITH_AS(random::normal(wrong, 1, {3, 2}, g),
                         "[normal] a parameter of shape (3,) does not broadcast to shape (3, 2)", shape_error);
    CHECK_THROWS_AS(random::normal(wrong, ones<double>({2}), g), shape_error);
    CHECK_THROWS_AS(random::normal(0, 1, {-1}, g), value_error);
    CHECK(g.offset() == 0);  // nothing was drawn
}
