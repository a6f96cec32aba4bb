// Distributions under vmap: with mapped parameters, larger shapes, or numbers alone.
#include "draws.hpp"

using namespace draws;

TEST_CASE("distributions under vmap: with parameters that are mapped") {
    check_draws([](auto x, generator& g) { return random::normal(x, 2.0, g); });
    check_draws([](auto x, generator& g) { return random::poisson(10 * x, g); });
}
TEST_CASE("distributions under vmap: a shape larger than that of the parameters") {
    auto g = start();
    const auto f = [&](auto x) { return random::uniform(x(0), 5.0, {2, 3}, g); };
    const auto low = m(all, 0);
    const auto whole = random::uniform(reshape(low, {7, 1, 1}), 5.0, {7, 2, 3}, start());
    check_close(vmap(f, {.chunk_size = 2, .randomness = different})(m), whole);
    const auto one = rand<double>({2, 3}, start());
    g = start();
    const auto at = reshape(low, {7, 1, 1});
    check_close(vmap(f, {.chunk_size = 2, .randomness = same})(m), at + one * (5.0 - at));
}
TEST_CASE("distributions under vmap: of numbers alone all members share a draw") {
    auto g = start();
    const auto f = [&](auto x) { return x * random::normal(0.0, 1.0, {3}, g); };
    check_close(vmap(f, {.randomness = same})(m), m * randn<double>({3}, start()));
    g = start();
    CHECK_THROWS_WITH_AS(vmap(f, {.randomness = different})(m),
                         "[normal] no parameter is mapped by every vmap in progress with randomness::different, whose "
                         "members would get the same numbers: give it one that is",
                         value_error);
    CHECK_THROWS_WITH_AS(vmap(f)(m),
                         "[normal] random numbers inside vmap: give vmap the option {.randomness = "
                         "randomness::different} or {.randomness = randomness::same}",
                         value_error);
    CHECK(g.offset() == 0);
}
