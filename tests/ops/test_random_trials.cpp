// binomial, geometric: SciPy's distributions, bounds, errors.
#include "random.hpp"

using namespace samples;

TEST_CASE("random: counts of trials follow SciPy's distributions") {
    generator g(2);
    const shape<1> n{many};
    check_sample("binomial(5, 0.3)", random::binomial(5, 0.3, n, g));
    check_sample("binomial(30, 0.3)", random::binomial(30, 0.3, n, g));  // by inversion
    check_sample("binomial(40, 0.3)", random::binomial(40, 0.3, n, g));  // by rejection, from here on
    check_sample("binomial(1000, 0.9)", random::binomial(1000, 0.9, n, g));
    check_sample("binomial(1000000, 0.25)", random::binomial(1000000, 0.25, n, g));
    check_sample("geometric(0.25)", random::geometric(0.25, n, g));
    check_sample("geometric(0.001)", random::geometric(0.001, n, g));
    CHECK(g.offset() == 7 * many);
    // a standard normal by now: of variance n p (1 - p)
    const auto huge = evaluate((astype<double>(random::binomial(1e14, 0.5, n, g)) - 5e13) / 5e6);
    CHECK(std::abs(mean(huge).item()) < 4 / std::sqrt(many));
    CHECK(std::abs(var(huge).item() - 1) < 4 * std::sqrt(2.0 / many));
    check_threads([](generator from) { return random::binomial(50, 0.4, {70000}, from); });
    check_places([](index_t k, generator from) { return random::binomial(50, 0.4, {k}, from); });
    check_places([](index_t k, generator from) { return random::geometric(0.1, {k}, from); });
}

TEST_CASE("random: trials that always or never succeed, types, derivatives") {
    using counts = std::vector<std::int64_t>;
    CHECK(values(random::binomial(7, tensor<double, 1>{0, 1}, generator(1))) == counts{0, 7});
    CHECK(values(random::binomial(tensor<int, 1>{0, 0}, 0.5, generator(1))) == counts{0, 0});
    CHECK(values(random::binomial(1000000, tensor<double, 1>{0, 1}, generator(1))) == counts{0, 1000000});
    CHECK(values(random::geometric(1, {3}, generator(1))) == counts{1, 1, 1});
    CHECK(random::geometric(1e-300, generator(1)).item() == std::int64_t(9.2e18));
    const auto small = random::binomial<std::uint8_t>(tensor<int, 1>{5, 200}, 0.5f, generator(1));
    static_assert(std::is_same_v<decltype(small), const tensor<std::uint8_t, 1>>);
    const auto a = tensor<double, 1>{0.25, 0.5};
    CHECK(array_equal(grad([](auto p) { return sum(p * random::binomial(9.0, p, generator(1))); })(a),
                      random::binomial(9, a, generator(1))));
}

TEST_CASE("random: trials that there are not") {
    generator g(1);
    CHECK_THROWS_WITH_AS(random::binomial(-1, 0.5, g), "[binomial] the number of trials must not be negative: -1",
                         value_error);
    CHECK_THROWS_WITH_AS(random::binomial(1.5, 0.5, g), "[binomial] the number of trials must be whole", value_error);
    CHECK_THROWS_WITH_AS(random::binomial(1e16, 0.5, g), "[binomial] the number of trials must be at most 2^53",
                         value_error);
    CHECK_THROWS_WITH_AS(random::binomial(1, 1.5, g), "[binomial] the probability must lie between 0 and 1: 1.5",
                         value_error);
    CHECK_THROWS_WITH_AS(random::geometric(0, g), "[geometric] the probability must be positive: 0", value_error);
    CHECK_THROWS_WITH_AS(random::geometric(2, g), "[geometric] the probability must lie between 0 and 1: 2",
                         value_error);
    CHECK(g.offset() == 0);
    CHECK_THROWS_AS(random::binomial<std::int8_t>(1000, 1.0, g), value_error);
}
