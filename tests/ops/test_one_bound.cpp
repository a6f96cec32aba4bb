// What NumPy's users write in short: one bound for clip, decimals for round, braces and vectors for asarray and choice.
#include <ricci/ricci.hpp>

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
    const auto h = clip(astype<float16>(x), 0.5f);
    static_assert(std::is_same_v<decltype(h)::value_type, float16>);
    CHECK(float(evaluate(h)(3).item()) == 3.0f);
}

TEST_CASE("round: to decimals") {  // numpy.round
    const tensor<double, 1> x{1.2345, 2.675, -0.125, 1234.5};
    CHECK(array_equal(round(x, 2), tensor<double, 1>{1.23, 2.68, -0.12, 1234.5}));
    CHECK(array_equal(round(x, -2), tensor<double, 1>{0, 0, -0.0, 1200}));
    CHECK(array_equal(round(x, 0), round(x)));
    const auto f = round(tensor<float, 1>{0.126f}, 2);
    static_assert(std::is_same_v<decltype(f)::value_type, float>);
    CHECK(evaluate(f)(0).item() == 0.13f);
}

TEST_CASE("asarray: vectors and braces") {
    std::vector<double> v{1, 2, 3};
    asarray(v)(0) = 7.0;
    CHECK(v[0] == 7);
    CHECK(array_equal(asarray(std::vector<double>{1, 2}), tensor<double, 1>{1, 2}));
    CHECK(array_equal(asarray({1.5, 2.0}), tensor<double, 1>{1.5, 2}));
    CHECK(array_equal(asarray<float>({1, 2}), tensor<float, 1>{1, 2}));
    CHECK(array_equal(asarray({{1, 2, 3}, {4, 5, 6}}), tensor<int, 2>{{1, 2, 3}, {4, 5, 6}}));
    CHECK(asarray(std::span(v)).data() == v.data());
}

TEST_CASE("choice: of values in braces") {
    const auto x = random::choice({-1, 1}, {2, 50}, generator(1));
    CHECK(array_equal(x, random::choice(tensor<int, 1>{-1, 1}, {2, 50}, generator(1))));
    CHECK(x.shape() == shape<2>{2, 50});
    CHECK(array_equal(sort(random::choice({3.0, 1.0, 2.0}, {3}, false)), tensor<double, 1>{1, 2, 3}));
}
