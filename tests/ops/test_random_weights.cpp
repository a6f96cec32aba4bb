// categorical, multinomial: probabilities by weights, draws without replacement, errors.
#include "random.hpp"

using namespace samples;

TEST_CASE("random: categorical and multinomial draw by weights") {
    generator g(4);
    const tensor<double, 1> w{1, 0, 2, 5, 0};
    const std::vector<double> p{0.125, 0.25, 0.625};
    const auto kept = [](const auto& i) {
        return evaluate(where(i == 3, 2, where(i == 2, 1, i)));
    };  // 0, 2, 3 are 0, 1, 2
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
    const auto code = kept(pairs(all, 0)) * 2 +
                      where(kept(pairs(all, 1)) > kept(pairs(all, 0)), kept(pairs(all, 1)) - 1, kept(pairs(all, 1)));
    check_counts(code, {p[0] * p[1] / 0.875, p[0] * p[2] / 0.875, p[1] * p[0] / 0.75, p[1] * p[2] / 0.75,
                        p[2] * p[0] / 0.375, p[2] * p[1] / 0.375});
    auto three = values(random::multinomial(w, 3, false, g));
    std::sort(three.begin(), three.end());
    CHECK(three == std::vector<std::int64_t>{0, 2, 3});
    CHECK(random::multinomial(w, 0, true, g).shape() == shape<1>{0});
    CHECK(random::multinomial(zeros<double>({0, 3}), 2, true, g).shape() == shape<2>{0, 2});
    CHECK(random::categorical(zeros<double>({0, 3}), -1, g).shape() == shape<1>{0});
    CHECK(random::categorical(tensor<double, 1>{-inf, 0, -inf}, 0, g).item() == 1);
    check_threads([](generator from) { return random::multinomial(ones<double>({9}), 70000, true, from); });
    check_threads([](generator from) { return random::categorical(zeros<double>({9000, 9}), 1, from); });
}

TEST_CASE("random: 16 bits have the chances of longer numbers") {
    const auto zero = zeros<bfloat16>({many});
    const auto logits = zero(ricci::all, newaxis) + tensor<bfloat16, 1>{-inf, 0, 0};
    check_counts(random::categorical(logits, 1, generator(7)) - 1, {0.5, 0.5});
    check_counts(random::bernoulli(zero + 0.001, generator(8)), {0.999, 0.001});
    check_counts(dropout(zero + 1, 0.001, true, generator(9)) == 0, {0.999, 0.001});
}

TEST_CASE("random: weights so small that a quotient by them overflows") {
    CHECK(values(random::multinomial(tensor<double, 1>{0, 1e-320, 1}, 2, false, generator(5))) ==
          std::vector<std::int64_t>{2, 1});
    const auto tiny =
        random::multinomial(broadcast_to(tensor<double, 1>{1e-310, 3e-310}, {many, 2}), 1, false, generator(5));
    check_counts(tiny, {0.25, 0.75});
    CHECK_THROWS_AS(random::uniform(-1.7e308, 1.7e308), value_error);
}

TEST_CASE("random: what categorical and multinomial refuse") {
    generator g(1);
    const tensor<double, 1> wrong{0.5, -2, 3};
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
