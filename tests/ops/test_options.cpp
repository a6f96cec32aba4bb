// Functions with NumPy's rarer options, against NumPy; their derivatives and refusals.
#include "../golden/options.hpp"
#include "close_calls.hpp"

namespace rc = ricci;
using namespace ricci;
using calls::not_a_number;

TEST_CASE("options: NumPy's results") {
    const auto n = [](const auto& extents, int seed) {
        return calls::numbers(reference::layout::contiguous, extents, seed);
    };
    const auto x = n(shape{4, 5}, 1), y = n(shape{4, 5}, 2), m = n(shape{5, 4}, 7);
    const auto v = n(shape{7}, 3), w = n(shape{7}, 4), u = n(shape{5}, 6);
    const auto t = n(shape{2, 3, 5}, 5);
    const auto z = complex(n(shape{5}, 1), n(shape{5}, 2));
    const auto mz = complex(n(shape{5, 4}, 3), -n(shape{5, 4}, 4));
    const tensor<double, 1> rows{0, 0.5, 2, 3}, columns{-1, 0, 0.25, 2, 2.5}, edges{-1.5, 0, 0.5, 2},
        uneven{-2, -0.25, 1};
    const auto slice_of_t = t(0, 0, slice(0, 1));
    const auto holes = where(w > 0, v, not_a_number);
    RICCI_OPTIONS_CASES(RICCI_CHECK_CLOSE);
}
TEST_CASE("options: derivatives and batches") {
    const auto x = randn<double>({4, 5}, generator(1));
    CHECK(gradcheck([](auto a, auto b) { return diff(a, 2, 0, b, 1.5); }, rc::tuple(x, evaluate(2 * x))));
    CHECK(array_equal(vmap([](auto a) { return diff(a, 1, 0, 0.0); })(x), diff(x, 1, 1, 0)));
    CHECK(gradcheck([](auto a) { return gradient(a, {0.5, 2.0})[1]; }, x));
    CHECK(gradcheck([](auto a, auto b) { return matvec(a, b); }, rc::tuple(x, randn<double>({2, 5}, generator(2)))));
    CHECK(allclose(vmap([](auto a) { return vecmat(a, eye(5)); })(x), x));
    const auto weights = linspace(1, 2, 4);
    CHECK(gradcheck([](auto a, auto w) { return polyfit(linspace(-1, 1, 4), a, 1, w); },
                    rc::tuple(evaluate(x(all, 0)), weights)));
    CHECK(gradcheck([](auto a) { return quantile(a, 0.4, 0, quantile_method::weibull); }, x));
    const auto edges = linspace(-2, 2, 4);
    CHECK(array_equal(grad([&](auto w) { return sum(histogram2d(x(0), x(1), edges, edges, w).counts); })(x(2)),
                      astype<double>(abs(x(0)) <= 2 && abs(x(1)) <= 2)));
}
TEST_CASE("options: numbers among elements, positions that keep their axes") {
    const tensor<int, 2> x{{3, 1, 2}, {1, 7, 7}};
    CHECK(array_equal(isin(x, 1), tensor<bool, 2>{{false, true, false}, {true, false, false}}));
    CHECK(array_equal(isin(x, 7, true), tensor<bool, 2>{{true, true, true}, {true, false, false}}));
    CHECK(array_equal(isin(x, 2.5), zeros<bool>({2, 3})));
    CHECK(isin(2, x).item());
    CHECK(!isin(2, x, true).item());
    CHECK(!isin(300, astype<std::uint8_t>(x)).item());
    CHECK(array_equal(argmax(x, keepdims), tensor{{4}}));
    CHECK(array_equal(argmin(x, keepdims), tensor{{1}}));
    CHECK(array_equal(vmap([](auto row) { return isin(row, 7); })(x), x == 7));
    CHECK(array_equal(vmap([](auto row) { return isin(7, row); })(x), tensor{false, true}));
}
TEST_CASE("options: NaN that equals NaN, refusals") {
    const tensor<double, 1> a{1, not_a_number}, b{1, 2};
    CHECK(array_equal(a, a, true));
    CHECK(!array_equal(a, a));
    CHECK(!array_equal(a, b, true));
    CHECK(!array_equal(b, a, true));
    CHECK(array_equal(tensor{1, 2}, b, true));
    CHECK_THROWS_WITH_AS(polyfit(b, b, 1, ones(3)), "[polyfit] weights of shape (3,) for 2 points", shape_error);
    CHECK_THROWS_WITH_AS(histogram2d(b, b, b, tensor{2, 1}), "[histogram2d] the edges must ascend", value_error);
    CHECK_THROWS_WITH_AS(histogramdd(rc::tuple(b, b), rc::tuple(ones(1), b)),
                         "[histogramdd] there must be two edges or more: 1", value_error);
    CHECK_THROWS_AS(gradient(ones(3, 4), {1.0, 2.0}, 3), value_error);
}
