// Distributions under two vmaps, and under derivatives.
#include "draws.hpp"

using namespace draws;

TEST_CASE("distributions under vmap: parameters mapped by two vmaps, captured ones, derivatives") {
    const auto cube = evaluate(abs(spread({4, 5, 2})));
    auto g = start();
    const auto inner = [&](auto x, auto y) { return random::normal(x, y, g); };
    const auto outer = [&](auto x, auto s) {
        return vmap([&](auto row) { return inner(row, s); }, {.chunk_size = 2, .randomness = different})(x);
    };
    const auto z = randn<double>({4, 5, 2}, start());
    const auto s = evaluate(abs(spread({4, 2}, 3)));
    check_close(vmap(outer, {.chunk_size = 3, .randomness = different})(cube, s), cube + reshape(s, {4, 1, 2}) * z);
    g = start();
    const auto loss = [&](auto w, auto x) { return sum(square(random::normal(x, w, g))); };
    const auto w = spread({3}, 4);
    const auto y = randn<double>({7, 3}, start());
    check_close(vmap(grad(loss), in_axes(none, 0), {.chunk_size = 3, .randomness = different})(abs(w), m),
                2 * (m + abs(w) * y) * y);
}
