// Distributions under vmap whose elements have streams of their own, and of bits.
#include "draws.hpp"

using namespace draws;

TEST_CASE("distributions under vmap: with parameters that are mapped") {
    check_draws([](auto x, generator& g) { return random::gamma(x, x, g); });
    check_draws([](auto x, generator& g) { return random::integers(0, astype<int>(10 * x) + 2, g); });
}
