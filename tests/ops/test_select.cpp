// where, clip, maximum and minimum, signed zeros: with NaN, infinities, mixed types, masks.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "../reference.hpp"

using namespace ricci;
using reference::same;
using reference::values;
using flags = std::vector<bool>;

namespace {

constexpr double nan_ = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("maximum and minimum: NaN wins, from either side") {
    const tensor<double, 1> a{1, nan_, 3, nan_, -inf, 2}, b{2, 1, nan_, nan_, inf, -2};
    CHECK(same(values(maximum(a, b)), {2, nan_, nan_, nan_, inf, 2}));
    CHECK(same(values(minimum(a, b)), {1, nan_, nan_, nan_, -inf, -2}));
    const auto wide = expand(a, {20, 6});
    CHECK(same(values(maximum(wide, b)(17, all)), {2, nan_, nan_, nan_, inf, 2}));
    CHECK(values(maximum(tensor<int, 1>{1, 5}, 3)) == std::vector<int>{3, 5});
    CHECK(values(minimum(tensor<std::int8_t, 1>{-128, 127}, tensor<int, 1>{5, 5})) == std::vector<int>{-128, 5});
    CHECK(values(maximum(tensor<bool, 1>{false, true}, tensor<bool, 1>{false, false})) == flags{false, true});
}

TEST_CASE("clip: limits, NaN, crossed limits, arrays as limits") {
    const tensor<double, 1> x{-2, 0.5, 3, nan_, inf, -inf};
    CHECK(same(values(clip(x, 0, 1)), {0, 0.5, 1, nan_, 1, 0}));
    CHECK(same(values(clip(x, 2, 1)), {1, 1, 1, nan_, 1, 1}));
    CHECK(same(values(clip(x, -inf, 1)), {-2, 0.5, 1, nan_, 1, -inf}));
    CHECK(values(clip(tensor<int, 2>{{1, 5}, {9, 3}}, tensor<int, 1>{2, 4}, 6)) == std::vector<int>{2, 5, 6, 4});
    CHECK(values(clip(tensor<std::uint8_t, 1>{0, 255}, 10, 20)) == std::vector<std::uint8_t>{10, 20});
}

TEST_CASE("where: broadcasting, weak scalars, masks of any type, the other branch never matters") {
    const tensor<double, 1> x{-1, 0, 4};
    CHECK(same(values(where(x > 0.0, sqrt(x), 0)), {0, 0, 2}));
    CHECK(same(values(where(x == 0.0, 1, 1 / x)), {-1, 1, 0.25}));
    CHECK(values(where(x, 1, 2)) == std::vector<int>{1, 2, 1});
    CHECK(same(values(where(tensor<bool, 2>{{true}, {false}}, x, -x)), {-1, 0, 4, 1, -0.0, -4}));
    CHECK(values(where(tensor<int, 1>{0, 2}, tensor<bool, 1>{true, true}, false)) == flags{false, true});
    CHECK(where(tensor<bool, 0>(true), 1.5, tensor<double, 0>(2)).item() == 1.5);
    CHECK(values(where(x > 0.0, x > 3.0, x < -0.5)) == flags{true, false, true});
    CHECK(values(where(tensor<bool, 1>{true, false}, std::complex<float>(0, 1), tensor<float, 1>{2})) ==
          std::vector<std::complex<float>>{{0, 1}, {2, 0}});
}

TEST_CASE("signed zeros and the absolute value") {
    const tensor<double, 1> z{0.0, -0.0, -inf, nan_, -2};
    CHECK(same(values(-z), {-0.0, 0.0, inf, nan_, 2}));
    CHECK(same(values(abs(z)), {0.0, 0.0, inf, nan_, 2}));
    CHECK(same(values(z * 1), {0.0, -0.0, -inf, nan_, -2}));
    CHECK(same(values(z - 0.0), {0.0, -0.0, -inf, nan_, -2}));
    CHECK(same(values(0.0 - z), {0.0, 0.0, inf, nan_, 2}));
    CHECK(same(values(1 / z), {inf, -inf, -0.0, nan_, -0.5}));
    CHECK(same(values(square(z)), {0.0, 0.0, inf, nan_, 4}));
    CHECK(same(values(sqrt(z)), {0.0, -0.0, nan_, nan_, nan_}));
    CHECK(values(abs(tensor<int, 1>{std::numeric_limits<int>::min(), -5})) == std::vector<int>{std::numeric_limits<int>::min(), 5});
    CHECK(values(abs(tensor<std::uint8_t, 1>{200})) == std::vector<std::uint8_t>{200});
}
