// permutation, shuffle, choice: every order and choice as likely, arrays along an axis, errors.
#include "random.hpp"

using namespace samples;

namespace {

/// Whether each of n outcomes, numbered by `outcome` of one draw, is as likely.
template <class F>
void check_equally_likely(std::size_t n, const F& outcome) {
    std::vector<double> counts(n);
    constexpr int draws = 24000;
    generator g(5);
    for (int i = 0; i < draws; ++i) ++counts.at(static_cast<std::size_t>(outcome(g)));
    CHECK(chi_square(counts, std::vector<double>(n, 1.0 / static_cast<double>(n)), draws) <
          golden::chi_square_bounds[n - 1]);
}
template <class X>
bool is_permutation(const X& x, index_t n) {
    auto v = values(x);
    std::sort(v.begin(), v.end());
    return v == values(arange<std::int64_t>(n));
}

}  // namespace

TEST_CASE("random: every permutation and every choice is as likely") {
    check_equally_likely(24, [](generator& g) {
        const auto p = values(random::permutation(4, g));
        return (p[0] * 3 + (p[1] > p[0] ? p[1] - 1 : p[1])) * 2 + (p[2] > p[3]);
    });
    check_equally_likely(20, [](generator& g) {
        const auto p = values(random::choice(5, {2}, false, g));
        REQUIRE(p[0] != p[1]);
        return p[0] * 4 + (p[1] > p[0] ? p[1] - 1 : p[1]);
    });
    check_equally_likely(25, [](generator& g) {
        const auto p = values(random::choice(5, {2}, true, g));
        return p[0] * 5 + p[1];
    });
}

TEST_CASE("random: permutation of numbers, of slices, in place") {
    CHECK(is_permutation(random::permutation(1000, generator(1)), 1000));
    check_threads([](generator g) { return random::permutation(70000, g); });
    CHECK(random::permutation(0).size() == 0);
    CHECK(values(random::permutation(1)) == std::vector<std::int64_t>{0});
    generator g(1);
    const auto order = random::permutation(5, g);
    CHECK(g.offset() == 5);
    const auto x = evaluate(reshape(arange<float>(30), {5, 6}));
    CHECK(values(random::permutation(x, 0, generator(1))) == values(take(x, order, 0)));
    const auto transposed = permute(x, {1, 0});
    CHECK(values(random::permutation(transposed, -1, generator(1))) == values(take(transposed, order, 1)));
    auto y = x.clone();
    random::shuffle(y, 0, generator(1));
    CHECK(values(y) == values(take(x, order, 0)));
    random::shuffle(y(all, slice(0, 0)));
    random::shuffle(y(slice(1, 3)), 1, generator(2));  // a view, in place
    CHECK(values(y(0)) == values(take(x, order, 0)(0)));
    CHECK(values(sum(y)) == values(sum(x)));
}

TEST_CASE("random: choice with and without replacement, by weights") {
    const auto x = tensor<double, 2>{{0, 10}, {1, 11}, {2, 12}, {3, 13}};
    const auto three = random::choice(x, {2, 3}, true, generator(1));
    CHECK(three.shape() == shape<3>{2, 3, 2});
    CHECK(values(three(ellipsis, 1)) == values(three(ellipsis, 0) + 10));
    CHECK(values(three(ellipsis, 0)) == values(astype<double>(random::choice(4, {2, 3}, true, generator(1)))));
    CHECK(is_permutation(astype<std::int64_t>(random::choice(x, {4}, false)(all, 0)), 4));
    auto few = values(random::choice(1000, {10}, false, generator(2)));
    std::sort(few.begin(), few.end());
    CHECK(std::unique(few.begin(), few.end()) == few.end());
    CHECK(values(random::choice(std::int64_t(1) << 50, {500}, false)).size() == 500);  // no array of that size
    const tensor<double, 1> w{0, 1, 0, 3};
    const auto by_weight = random::choice(x, {many}, w, true, generator(3));
    CHECK(min(by_weight(all, 0)).item() == 1);
    CHECK(std::abs(mean(by_weight(all, 0)).item() - 2.5) < 4 * std::sqrt(0.75 / many));
    CHECK(values(sum(random::choice(x, {2}, w, false)(all, 0))) == std::vector<double>{4});
    CHECK(random::choice(x, {0, 2}).shape() == shape<3>{0, 2, 2});
    CHECK(random::choice(0, {0}).size() == 0);
    CHECK(values(random::choice(9, {5}, generator(6))) == values(random::choice(9, {5}, true, generator(6))));
    generator g(6);
    CHECK(values(random::choice(x, {5}, g)) == values(random::choice(x, {5}, true, generator(6))));
    // the derivative goes to where an element came from
    const auto count = grad([](auto v) { return sum(random::choice(v, {50}, true, generator(4))); })(x);
    CHECK(sum(count).item() == 100);
    CHECK(values(count(all, 0)) == values(astype<double>(bincount(random::choice(4, {50}, true, generator(4)), 4))));
}

TEST_CASE("random: the same order, few of many as all of them") {
    // the dense and the sparse way make the same exchanges
    std::vector<std::int64_t> swaps, dense(200), sparse(200);
    for (std::int64_t i = 0; i < 200; ++i) swaps.push_back(i + i * i * 37 % (20000 - i));
    std::vector<std::int64_t> order(20000);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
    auto* const places = order.data();
    detail::exchange(places, swaps.data(), dense.data(), 200);
    detail::sparse_identity<std::int64_t> few(400);
    detail::exchange(few, swaps.data(), sparse.data(), 200);
    CHECK(dense == sparse);
}

TEST_CASE("random: what permutation and choice refuse") {
    generator g(1);
    const auto x = zeros<double>({3, 2});
    CHECK_THROWS_WITH_AS(random::permutation(-1, g), "[permutation] the number of elements must not be negative: -1",
                         value_error);
    CHECK_THROWS_AS(random::permutation(x, 2, g), index_error);
    CHECK_THROWS_WITH_AS(random::choice(x, {4}, false, g), "[choice] 4 different elements of 3: too few", value_error);
    CHECK_THROWS_WITH_AS(random::choice(0, {4}, true, g), "[choice] 4 elements of 0: too few", value_error);
    CHECK_THROWS_AS(random::choice(-1, {0}, true, g), value_error);
    CHECK_THROWS_WITH_AS(random::choice(x, {2}, ones<double>({2}), true, g),
                         "[choice] weights of shape (2,) for axis 0 of shape (3, 2)", shape_error);
    CHECK_THROWS_WITH_AS(random::choice(x, {2}, tensor<double, 1>{0, 1, 0}, false, g),
                         "[choice] 2 without replacement of a line with 1 weights above 0", value_error);
    CHECK(g.offset() == 0);  // nothing was drawn
}
