// Derivatives of samples in the parameters of their distributions.
#include "random.hpp"

using namespace samples;

TEST_CASE("random: derivatives in location and scale") {
    const auto a = tensor<double, 1>{0.5, 1, 2};
    const auto z = randn<double>({3}, generator(1)), u = rand<double>({3}, generator(1));
    const auto of_normal = [](auto m, auto s) { return sum(random::normal(m, s, generator(1))); };
    CHECK(allclose(grad(of_normal)(a, a), ones<double>({3})));
    CHECK(allclose(grad([&](auto s) { return of_normal(a, s); })(a), z));
    const auto of_uniform = [&](auto low) { return sum(random::uniform(low, 2 * low, generator(1))); };
    CHECK(allclose(grad(of_uniform)(a), 1 + u));
    CHECK(allclose(grad([](auto s) { return sum(random::exponential(s, generator(1))); })(a), -log1p(-u)));
}
