// permutation and multinomial under vmap.
#include "draws.hpp"

using namespace draws;

TEST_CASE("order and weights under vmap: each member's own") {
    for (const index_t n : {1, 3, 7}) {
        CAPTURE(n);
        auto g = start();
        const auto shuffled =
            vmap([&](auto x) { return random::permutation(x, 0, g); }, {.chunk_size = n, .randomness = different})(m);
        check_close(sort(shuffled), sort(m), 0);
        CHECK(g.offset() == 21);
        g = start();
        const auto swapped =
            vmap([&](auto x) { return random::permutation(x, 0, g); }, {.chunk_size = n, .randomness = same})(m);
        check_close(swapped, random::permutation(m, 1, start()), 0);
        for (const bool replacement : {true, false}) {
            const auto draw = [&](auto x, generator_ref from) { return random::multinomial(x, 2, replacement, from); };
            g = start();
            const auto drawn = vmap([&](auto x) { return draw(x, g); }, {.chunk_size = n, .randomness = different})(m);
            auto h = start();
            check_close(drawn, draw(m, h), 0);
            CHECK(g.offset() == h.offset());
            g = start();
            const auto common = vmap([&](auto x) { return draw(x, g); }, {.chunk_size = n, .randomness = same})(m);
            check_close(common(2), draw(m(2), start()), 0);
        }
    }
}
