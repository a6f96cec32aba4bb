// Random numbers at the edges of types: bounds, rates and weights that one of them does not hold, generators given
// last.
#include "random.hpp"

using namespace samples;

TEST_CASE("random: bounds that the integers do not hold are refused") {
    CHECK_THROWS_WITH_AS(random::integers<std::uint64_t>(-5, -1, {3}), "[integers] uint64 does not hold the bound -5",
                         value_error);
    CHECK_THROWS_WITH_AS(random::integers(0, std::uint64_t(1) << 63, {3}),
                         "[integers] int64 does not hold the bound 9223372036854775808", value_error);
    CHECK_THROWS_WITH_AS(random::integers(0, std::numeric_limits<double>::quiet_NaN(), {3}),
                         "[integers] int64 does not hold the bound nan", value_error);
    CHECK_THROWS_AS(random::integers(tensor{-1e19, 0.0}, 2, {2}), value_error);
    const auto large = random::integers<std::uint64_t>(0, 1.8e19, {100}, generator(1));
    CHECK(all(large < std::uint64_t(18'000'000'000'000'000'000u)));
    CHECK(max(large) > std::uint64_t(1) << 63);
    const auto letters = random::integers<std::int8_t>('a', 'e', {100}, generator(1));
    CHECK(all((letters >= 97) & (letters < 101)));
    const auto low = random::integers(-9.2e18, -9.1e18, {100}, generator(1));
    CHECK(all((low >= -9'200'000'000'000'000'000) & (low < -9'100'000'000'000'000'000)));
}
TEST_CASE("random: counts that the type does not hold are refused") {
    CHECK_THROWS_AS(random::poisson<std::uint8_t>(300.0, {4}), value_error);
    CHECK_THROWS_AS(random::poisson<std::int8_t>(200.0, {4}), value_error);
    CHECK(max(random::poisson<std::uint8_t>(3.0, {100})) < 30);
}
TEST_CASE("random: weights whose sum is infinite") {
    const auto drawn = random::multinomial(tensor{1e308, 1e308, 1e308}, many, true, generator(5));
    check_counts(drawn, {1.0 / 3, 1.0 / 3, 1.0 / 3});
    CHECK(random::multinomial(zeros<double>({2, 0}), 0).shape() == shape<2>{2, 0});
}
TEST_CASE("random: bounds of a normal so far out that nothing is beyond them") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    CHECK(all(random::truncated_normal(0.0, 1e-300, 1e10, 2e10, {5}) == 1e10));
    CHECK(all(random::truncated_normal(0.0, 1e-300, 1e10, infinity, {5}) == 1e10));
    CHECK(all(random::truncated_normal(0.0, 1e-300, -infinity, -1e10, {5}) == -1e10));
}
TEST_CASE("random: a generator last, without what stands before it") {
    const tensor<double, 1> x{1, 2, 3, 4}, weights{1, 1, 5, 1};
    CHECK(array_equal(random::permutation(x, generator(1)), random::permutation(x, 0, generator(1))));
    CHECK(array_equal(random::categorical(x, generator(1)), random::categorical(x, -1, generator(1))));
    CHECK(array_equal(random::multinomial(x, 2, generator(1)), random::multinomial(x, 2, false, generator(1))));
    CHECK(array_equal(random::choice(x, {3}, weights, generator(1)),
                      random::choice(x, {3}, weights, true, generator(1))));
}
TEST_CASE("random: a choice by shared weights among what vmap maps") {
    const auto choose = [](auto row) { return random::choice(row, {50}, tensor{1.0, 0.0, 1.0}); };
    const auto rows = broadcast_to(tensor{1.0, 2.0, 3.0}, {4, 3});
    const auto drawn = vmap(choose, {.randomness = randomness::different})(rows);
    CHECK(all((drawn == 1.0) | (drawn == 3.0)));
    CHECK(!array_equal(drawn(0), drawn(1)));
}
