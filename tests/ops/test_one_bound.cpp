// What NumPy's users write in short: one bound for clip, decimals for round, braces and vectors for asarray and choice,
// functions of numbers for map.
#include <ricci/ricci.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "../reference.hpp"
#include "../transforms/derivatives.hpp"

using namespace derivative_checks;

TEST_CASE("clip: one bound") {
    const tensor<double, 1> x{-2, 0, 0.5, 3};
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(array_equal(clip(x, 0), tensor<double, 1>{0, 0, 0.5, 3}));
    CHECK(array_equal(clip(x, none, 0.25), tensor<double, 1>{-2, 0, 0.25, 0.25}));
    CHECK(array_equal(clip(tensor<double, 1>{-inf, inf}, 1.0), tensor<double, 1>{1, inf}));
    CHECK(array_equal(grad([](auto v) { return sum(clip(v, 0)); })(x), tensor<double, 1>{0, 1, 1, 1}));
    const auto k = clip(tensor<std::uint8_t, 1>{1, 200}, 7);
    static_assert(std::is_same_v<decltype(k)::value_type, std::uint8_t>);
    CHECK(array_equal(k, tensor<std::uint8_t, 1>{7, 200}));
    CHECK(array_equal(clip(tensor<int, 1>{1, -5}, none, -2), tensor<int, 1>{-2, -5}));
    CHECK(array_equal(clip(tensor<int, 1>{1, 5}, tensor<double, 1>{1e300, 2}), tensor<double, 1>{1e300, 5}));
    const tensor<double, 1> low{-1, -1, 1, 1}, high{0, -1, 0.25, 9};
    CHECK(array_equal(clip(x, low, none), tensor<double, 1>{-1, 0, 1, 3}));
    CHECK(array_equal(clip(x, none, high), tensor<double, 1>{-2, -1, 0.25, 3}));
    CHECK(array_equal(clip(tensor<std::uint8_t, 1>{0, 255}, none, none), tensor<std::uint8_t, 1>{0, 255}));
    const auto h = clip(astype<float16>(x), 0.5f);
    static_assert(std::is_same_v<decltype(h)::value_type, float16>);
    CHECK(float(evaluate(h)(3).item()) == 3.0f);
}

TEST_CASE("round: to decimals") {  // numpy.round
    const tensor<double, 1> x{1.2345, 2.675, -0.125, 1234.5};
    CHECK(array_equal(round(x, 2), tensor<double, 1>{1.23, 2.68, -0.12, 1234.5}));
    CHECK(array_equal(round(x, -2), tensor<double, 1>{0, 0, -0.0, 1200}));
    CHECK(array_equal(round(x, 0), round(x)));
    CHECK(array_equal(round(tensor<int, 1>{15, 25, -15, 149}, -1), tensor<int, 1>{20, 20, -20, 150}));
    CHECK(array_equal(round(tensor<std::int8_t, 1>{127, -128, 125}, -1), tensor<std::int8_t, 1>{-126, 126, 120}));
    CHECK(array_equal(round(tensor<int, 1>{5, 15}, 2), tensor<int, 1>{5, 15}));
    using z = std::complex<double>;
    const tensor<z, 1> c{z(1.236, -2.345), z(2.5, -0.2)};
    CHECK(array_equal(round(c), tensor<z, 1>{z(1, -2), z(2, -0.0)}));
    CHECK(array_equal(round(c, 2), tensor<z, 1>{z(1.24, -2.35), z(2.5, -0.2)}));
    const auto f = round(tensor<float, 1>{0.126f}, 2);
    static_assert(std::is_same_v<decltype(f)::value_type, float>);
    CHECK(evaluate(f)(0).item() == 0.13f);
}

TEST_CASE("nan_to_num: replacements in order") {  // torch.nan_to_num
    const double inf = std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::max();
    const tensor<double, 1> x{std::nan(""), inf, -inf, 2};
    CHECK(array_equal(nan_to_num(x, 7), tensor<double, 1>{7, most, -most, 2}));
    CHECK(array_equal(nan_to_num(x, 0, 1.5), tensor<double, 1>{0, 1.5, -most, 2}));
    CHECK(array_equal(nan_to_num(x, 0, 1, -1.5), tensor<double, 1>{0, 1, -1.5, 2}));
}

TEST_CASE("asarray: vectors and braces") {
    std::vector<double> v{1, 2, 3};
    asarray(v)(0) = 7.0;
    CHECK(v[0] == 1);
    CHECK(array_equal(asarray(std::vector<double>{1, 2}), tensor<double, 1>{1, 2}));
    CHECK(array_equal(asarray({1.5, 2.0}), tensor<double, 1>{1.5, 2}));
    CHECK(array_equal(asarray<float>({1, 2}), tensor<float, 1>{1, 2}));
    CHECK(array_equal(asarray({{1, 2, 3}, {4, 5, 6}}), tensor<int, 2>{{1, 2, 3}, {4, 5, 6}}));
    CHECK(asarray(std::span(v)).data() == v.data());
    const std::vector<std::vector<double>> rows{{1, 2, 3}, {4, 5, 6}};
    CHECK(array_equal(asarray(rows), tensor<double, 2>{{1, 2, 3}, {4, 5, 6}}));
    const std::vector<std::array<float, 2>> points{{1, 2}, {3, 4}, {5, 6}};
    CHECK(array_equal(from_span(points), tensor<float, 2>{{1, 2}, {3, 4}, {5, 6}}));
    CHECK(array_equal(asarray(std::vector<bool>{true, false}), tensor<bool, 1>{true, false}));
    CHECK(from_span(std::vector<std::vector<int>>{}).shape() == shape{0, 0});
    CHECK(from_span(std::vector<std::vector<std::vector<int>>>(2)).shape() == shape{2, 0, 0});
    CHECK_THROWS_WITH_AS(asarray(std::vector<std::vector<int>>{{1, 2}, {3}}),
                         "[from_span] a list of 1 elements stands beside one of 2", shape_error);
}

TEST_CASE("choice: of values in braces") {
    const auto x = random::choice({-1, 1}, {2, 50}, generator(1));
    CHECK(array_equal(x, random::choice(tensor<int, 1>{-1, 1}, {2, 50}, generator(1))));
    CHECK(x.shape() == shape<2>{2, 50});
    CHECK(array_equal(sort(random::choice({3.0, 1.0, 2.0}, {3}, false)), tensor<double, 1>{1, 2, 3}));
}

namespace {
double clipped_root(double v) { return v < 0 ? -1 : std::sqrt(v); }
}  // namespace

TEST_CASE("map: functions of numbers") {
    const tensor<double, 1> x{-1, 4, 9, 16, 25};
    CHECK(reference::values(map(clipped_root, x)) == std::vector<double>{-1, 2, 3, 4, 5});
    const std::function<double(double)> half = [](double v) { return v / 2; };
    CHECK(reference::values(map(half, x + 1)) == std::vector<double>{0, 2.5, 5, 8.5, 13});
    CHECK(reference::values(map([](double v) noexcept { return v > 5; }, x)) ==
          std::vector<bool>{false, false, true, true, true});

    // arguments as the function takes them, the result as it gives it; once for each element of the broadcast shape
    int calls = 0;
    const tensor<float, 2> column{{1}, {2}};
    const auto y = map(
        [&](double a, float b) {
            ++calls;
            return std::complex<float>(static_cast<float>(a), b);
        },
        x, column);
    static_assert(std::is_same_v<decltype(y)::value_type, std::complex<float>>);
    CHECK(calls == 10);
    CHECK(y.at(1, 4) == std::complex<float>(25, 2));
    const std::vector<int> table{7, 8, 9};
    CHECK(reference::values(map([&](int i) { return table[static_cast<std::size_t>(i)]; }, tensor<int, 1>{2, 0, 1})) ==
          std::vector<int>{9, 7, 8});
    CHECK(map([](double) -> double { throw value_error("never"); }, zeros<double>({0})).size() == 0);

    // part of a larger map, beside one that is differentiated, under vmap
    CHECK(reference::values(map(clipped_root, x) * 2 + exp(0 * x)) == std::vector<double>{-1, 5, 7, 9, 11});
    CHECK(reference::values(grad([&](auto w) { return sum(w * map(clipped_root, x)); })(x)) ==
          std::vector<double>{-1, 2, 3, 4, 5});
    const auto rows = vmap([](auto r) { return map(clipped_root, r) + sum(r); })(tensor<double, 2>{{1, 4}, {-9, 9}});
    CHECK(reference::values(rows) == std::vector<double>{6, 7, -1, 3});
}
