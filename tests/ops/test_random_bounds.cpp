// Samples at the bounds of their distributions and of floating point.
#include "random.hpp"

using namespace samples;

TEST_CASE("random: what rounding could do to bounds") {
    const float next = std::nextafter(1.0f, 2.0f);
    CHECK(values(random::uniform<float>(1, next, {1000})) == std::vector<float>(1000, 1.0f));
    CHECK(max(random::uniform<float>(full<float>({10000}, -3), 1e-7f)).item() < 1e-7f);
    CHECK(values(random::uniform(2, 2, {3})) == std::vector<double>(3, 2));
    const auto far = random::truncated_normal(0, 1, 1e10, inf, {1000});
    CHECK(min(far).item() >= 1e10);
    CHECK(max(far).item() < 1e10 + 1);
    CHECK(min(random::gamma(1e-300, 1, {1000})).item() == 0);
    const auto extreme = random::beta(1e-300, 3e-300, {many});  // 0 or 1, the latter for a / (a + b) of them
    CHECK(sum(extreme * (1 - extreme)).item() == 0);
    CHECK(std::abs(mean(extreme).item() - 0.25) < 4 * std::sqrt(0.25 * 0.75 / many));
}
