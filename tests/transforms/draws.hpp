// Draws under vmap against draws for the whole batch, and one that all members share.
#pragma once
#include "mapped.hpp"

namespace draws {

using namespace mapped;

inline constexpr auto different = randomness::different;
inline constexpr auto same = randomness::same;
inline generator start() { return generator(5); }
inline const auto m = evaluate(abs(spread({7, 3})) + 0.1);

/// f(x, generator) of each row of m, against f of all rows, and of one draw shared by all.
template <class F>
void check_draws(const F& f) {
    auto whole_g = start();
    const auto whole = evaluate(astype<double>(f(m, whole_g)));
    for (const index_t n : {1, 3, 7}) {
        CAPTURE(n);
        auto g = start();
        const auto mapped = [&](auto x) { return astype<double>(f(x, g)); };
        check_close(vmap(mapped, {.chunk_size = n, .randomness = different})(m), whole, 0);
        CHECK(g.offset() == whole_g.offset());
        g = start();
        const auto shared = vmap(mapped, {.chunk_size = n, .randomness = same})(m);
        CHECK(7 * g.offset() == whole_g.offset());
        for (index_t i = 0; i < 7; ++i) {
            auto again = start();
            check_close(shared(i), astype<double>(f(m(i), again)), 0);
        }
        CHECK_THROWS_AS(vmap(mapped, {.chunk_size = n})(m), value_error);
    }
}

}  // namespace draws
