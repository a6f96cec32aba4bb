// integers, bernoulli, poisson, categorical, multinomial: SciPy's distributions, bounds, draws without replacement, errors.
#include "random.hpp"

using namespace samples;

namespace {

/// How often each of 0 ... n - 1 occurs, against probabilities.
template <class X>
void check_counts(const X& x, const std::vector<double>& probabilities) {
    std::vector<double> counts(probabilities.size());
    const auto all = values(x);
    for (const auto v : all) ++counts.at(static_cast<std::size_t>(v));
    CHECK(chi_square(counts, probabilities, static_cast<double>(all.size())) <
          golden::chi_square_bounds[counts.size() - 1]);
}

}  // namespace

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
    check_threads([](generator g) { return random::multinomial(ones<double>({9}), 70000, true, g); });
    check_threads([](generator g) { return random::categorical(zeros<double>({9000, 9}), 1, g); });
}

TEST_CASE("random: integers up to the bounds of their types, without bias") {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
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
    const tensor<int, 1> low{0, 10}, high{5, 11};
    const auto pairs = random::integers(low, high, {1000, 2}, g);
    CHECK(pairs.shape() == shape<2>{1000, 2});
    check_counts(pairs(all, 0), {0.2, 0.2, 0.2, 0.2, 0.2});
    CHECK(values(pairs(all, 1)) == std::vector<std::int64_t>(1000, 10));
    CHECK(random::integers(0, 5, {0}, g).size() == 0);
}

TEST_CASE("random: categorical and multinomial draw by weights") {
    generator g(4);
    const tensor<double, 1> w{1, 0, 2, 5, 0};
    const std::vector<double> p{0.125, 0.25, 0.625};
    const auto kept = [](const auto& i) { return evaluate(where(i == 3, 2, where(i == 2, 1, i))); };  // 0, 2, 3 are 0, 1, 2
    const auto logits = log(broadcast_to(w, {many, 5}));
    check_counts(kept(random::categorical(logits, -1, g)), p);
    check_counts(kept(random::categorical(permute(logits, {1, 0}), 0, g)), p);
    check_counts(kept(random::categorical(astype<float>(logits), 1, g)), p);
    check_counts(kept(random::multinomial(w, many, true, g)), p);
    const auto lines = random::multinomial(tensor<float, 2>{{1, 0, 2, 5}, {0, 1, 0, 0}}, many, true, g);
    check_counts(kept(lines(0)), p);
    CHECK(values(lines(1)) == std::vector<std::int64_t>(many, 1));
    // without replacement: first i with p_i, then j with p_j / (1 - p_i)
    const auto pairs = random::multinomial(broadcast_to(w, {many, 5}), 2, false, g);
    CHECK(pairs.shape() == shape<2>{many, 2});
    const auto code = kept(pairs(all, 0)) * 2 + where(kept(pairs(all, 1)) > kept(pairs(all, 0)), kept(pairs(all, 1)) - 1, kept(pairs(all, 1)));
    check_counts(code, {p[0] * p[1] / 0.875, p[0] * p[2] / 0.875, p[1] * p[0] / 0.75, p[1] * p[2] / 0.75,
                        p[2] * p[0] / 0.375, p[2] * p[1] / 0.375});
    auto three = values(random::multinomial(w, 3, false, g));
    std::sort(three.begin(), three.end());
    CHECK(three == std::vector<std::int64_t>{0, 2, 3});
    CHECK(random::multinomial(w, 0, true, g).shape() == shape<1>{0});
    CHECK(random::multinomial(zeros<double>({0, 3}), 2, true, g).shape() == shape<2>{0, 2});
    CHECK(random::categorical(zeros<double>({0, 3}), -1, g).shape() == shape<1>{0});
    CHECK(random::categorical(tensor<double, 1>{-inf, 0, -inf}, 0, g).item() == 1);
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
    CHECK_THROWS_WITH_AS(random::categorical(zeros<double>({3, 0}), 1, g),
                         "[categorical] of an empty axis: shape (3, 0) has no elements there", value_error);
    CHECK_THROWS_WITH_AS(random::categorical(tensor<double, 1>{0, inf}, 0, g),
                         "[categorical] a logit must be a number or -infinity", value_error);
    CHECK_THROWS_WITH_AS(random::multinomial(wrong, 1, false, g), "[multinomial] a weight must not be negative: -2",
                         value_error);
    CHECK_THROWS_WITH_AS(random::multinomial(tensor<double, 1>{1, 0, 2}, 3, false, g),
                         "[multinomial] 3 without replacement of a line with 2 weights above 0", value_error);
    CHECK_THROWS_WITH_AS(random::multinomial(zeros<double>({2}), 1, true, g),
                         "[multinomial] 1 with replacement of a line with 0 weights above 0", value_error);
    CHECK_THROWS_WITH_AS(random::multinomial(zeros<double>({1, 0}), 1, true, g),
                         "[multinomial] of an empty axis: weights of shape (1, 0)", value_error);
    CHECK_THROWS_WITH_AS(random::multinomial(ones<double>({2}), -1, true, g),
                         "[multinomial] the number of draws must not be negative: -1", value_error);
    CHECK(g.offset() == 0);  // nothing was drawn
}
