// integers, bernoulli, poisson: SciPy's distributions, bounds, errors.
#include "random.hpp"

using namespace samples;

TEST_CASE("random: samples of integers follow SciPy's distributions") {
    generator g(2);
    const shape<1> n{many};
    check_sample("integers(-3, 4)", random::integers(-3, 4, n, g));
    check_sample("bernoulli(0.3)", random::bernoulli(0.3, n, g));
    check_sample("poisson(0.1)", random::poisson(0.1, n, g));
    check_sample("poisson(3)", random::poisson(3, n, g));
    check_sample("poisson(9.9)", random::poisson(9.9, n, g));
    check_sample("poisson(10)", random::poisson(10, n, g));
    check_sample("poisson(11.5)", random::poisson(11.5, n, g));
    check_sample("poisson(100)", random::poisson(100, n, g));
    check_sample("poisson(1e4)", random::poisson(1e4, n, g));
    check_sample("poisson(1e9)", random::poisson(1e9, n, g));
    CHECK(g.offset() == 10 * many);
    const auto huge = evaluate((astype<double>(random::poisson(1e18, n, g)) - 1e18) / 1e9);  // a standard normal by now
    CHECK(std::abs(mean(huge).item()) < 4 / std::sqrt(many));
    CHECK(std::abs(var(huge).item() - 1) < 4 * std::sqrt(2.0 / many));
    CHECK(values(random::poisson(0, {3}, g)) == std::vector<std::int64_t>(3));
}

TEST_CASE("random: an integer depends on its place alone, on any number of threads") {
    const auto check = [](const auto& draw) {
        check_threads([&](generator g) { return draw(70000, g); });
        check_places(draw);
    };
    check([](index_t n, generator g) { return random::integers(0, 1000, {n}, g); });
    check([](index_t n, generator g) { return random::bernoulli(0.5, {n}, g); });
    check([](index_t n, generator g) { return random::poisson(20, {n}, g); });
}

TEST_CASE("random: integers up to the bounds of their types, without bias") {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                           most = std::numeric_limits<std::int64_t>::max();
    generator g(3);
    const auto wide = random::integers(least, most, {many}, g);
    CHECK(std::abs(mean(astype<double>(wide)).item()) < 4 * 0x1p63 / std::sqrt(3.0 * many));
    // of 3 * 2^62 numbers a remainder of 64 bits would hit the first third twice as often as each of the others
    const auto thirds = random::integers<std::uint64_t>(std::uint64_t(0), std::uint64_t(3) << 62, {many}, g);
    check_counts(astype<std::int64_t>(bitwise_right_shift(thirds, 62)), {1 / 3.0, 1 / 3.0, 1 / 3.0});
    const auto bytes = random::integers<std::int8_t>(-128, 128, {many}, g);
    static_assert(std::is_same_v<decltype(bytes), const tensor<std::int8_t, 1>>);
    CHECK(min(bytes).item() == -128);
    CHECK(max(bytes).item() == 127);
    CHECK(values(random::integers(5, 6, {4}, g)) == std::vector<std::int64_t>(4, 5));
    CHECK(array_equal(random::integers(9, {64}, generator(3)), random::integers(0, 9, {64}, generator(3))));
    const tensor<int, 1> low{0, 10}, high{5, 11};
    const auto pairs = random::integers(low, high, {1000, 2}, g);
    CHECK(pairs.shape() == shape<2>{1000, 2});
    check_counts(pairs(all, 0), {0.2, 0.2, 0.2, 0.2, 0.2});
    CHECK(values(pairs(all, 1)) == std::vector<std::int64_t>(1000, 10));
    CHECK(random::integers(0, 5, {0}, g).size() == 0);
}

TEST_CASE("random: what discrete distributions refuse") {
    generator g(1);
    const tensor<double, 1> wrong{0.5, -2, 3};
    CHECK_THROWS_WITH_AS(random::poisson(wrong, g), "[poisson] the rate must not be negative: -2", value_error);
    CHECK_THROWS_WITH_AS(random::poisson(1e19, g),
                         "[poisson] the rate must be at most 9.2e18, so that 64 bits hold what is drawn", value_error);
    CHECK_THROWS_WITH_AS(random::bernoulli(wrong, g), "[bernoulli] the probability must lie between 0 and 1: -2",
                         value_error);
    CHECK_THROWS_WITH_AS(random::bernoulli(1.5, g), "[bernoulli] the probability must lie between 0 and 1: 1.5",
                         value_error);
    CHECK_THROWS_WITH_AS(random::integers(4, 4, g), "[integers] low must be less than high", value_error);
    CHECK_THROWS_WITH_AS(random::integers<std::int8_t>(0, 129, g),
                         "[integers] int8 does not hold all integers from 0 to 128", value_error);
    CHECK(g.offset() == 0);  // nothing was drawn
}
