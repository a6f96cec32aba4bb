// Parameters of distributions: broadcasting, element types.
#include "random.hpp"

using namespace samples;

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
