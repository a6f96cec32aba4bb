// Parameters that continuous distributions do not have.
#include "random.hpp"

using namespace samples;

TEST_CASE("random: parameters that a distribution does not have") {
    generator g(1);
    const tensor<double, 1> wrong{1, -2, 3}, nan{1, std::nan(""), 3};
    CHECK_THROWS_WITH_AS(random::normal(0, wrong, g), "[normal] the standard deviation must not be negative: -2",
                         value_error);
    CHECK_THROWS_AS(random::normal(0, nan, g), value_error);
    CHECK_THROWS_WITH_AS(random::uniform(1, 0.5, {3}, g), "[uniform] high - low must not be negative: -0.5",
                         value_error);
    CHECK_THROWS_WITH_AS(random::uniform(wrong, inf, g), "[uniform] high must be finite: inf", value_error);
    CHECK_THROWS_WITH_AS(random::exponential(-1, g), "[exponential] the scale must not be negative: -1", value_error);
    CHECK_THROWS_WITH_AS(random::gamma(wrong, 1, g), "[gamma] the shape parameter must not be negative: -2",
                         value_error);
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
