// Samples as constants of the derivatives in parameters that have none.
#include "random.hpp"

using namespace samples;

TEST_CASE("random: no derivative in shapes and bounds") {
    const auto a = tensor<double, 1>{0.5, 1, 2};
    const auto of_gamma = [&](auto k) { return sum(random::gamma(k, k, generator(1))); };
    CHECK(allclose(grad(of_gamma)(a), random::gamma(a, 1.0, generator(1))));
    CHECK(allclose(std::get<1>(jvp(of_gamma, a, a)), of_gamma(a)));
    CHECK(allclose(grad([](auto k) { return sum(k * random::beta(k, 1.0, generator(1))); })(a),
                   random::beta(a, 1.0, generator(1))));
    CHECK(allclose(grad([](auto k) { return sum(k * random::truncated_normal(k, k, -1.0, k, generator(1))); })(a),
                   random::truncated_normal(a, a, -1.0, a, generator(1))));
}

TEST_CASE("random: shapes alone, of the standard parameters") {
    CHECK(array_equal(random::uniform({3, 2}, generator(1)), random::uniform(0.0, 1.0, {3, 2}, generator(1))));
    CHECK(array_equal(random::normal<float>(shape<1>{5}, generator(1)),
                      random::normal<float>(0.0, 1.0, {5}, generator(1))));
    CHECK(array_equal(random::exponential({5}, generator(1)), random::exponential(1.0, {5}, generator(1))));
}
