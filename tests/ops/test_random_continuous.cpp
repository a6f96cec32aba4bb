// uniform, normal, exponential, gamma, beta, truncated_normal follow SciPy's distributions, whatever the threads.
#include "random_continuous.hpp"

using namespace samples;

TEST_CASE("random: samples in double follow SciPy's distributions") { check_continuous<double>(); }

TEST_CASE("random: an element depends on its place alone, on any number of threads") {
    const auto check = [](const auto& draw) {
        check_threads([&](generator g) { return draw(70000, g); });
        check_places(draw);
    };
    check([](index_t n, generator g) { return random::uniform(1, 2, {n}, g); });
    check([](index_t n, generator g) { return random::normal(1, 2, {n}, g); });
    check([](index_t n, generator g) { return random::exponential(2, {n}, g); });
    check([](index_t n, generator g) { return random::gamma(0.5, 2, {n}, g); });
    check([](index_t n, generator g) { return random::beta(0.5, 2, {n}, g); });
    check([](index_t n, generator g) { return random::truncated_normal(0, 1, 1, 2, {n}, g); });
}
