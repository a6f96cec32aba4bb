// Reductions without NaN: derivatives, batches.
#include "reduced.hpp"

using namespace reduced;

TEST_CASE("nan reductions: the derivatives are those of what is left") {
    const tensor<double, 1> y{1, NAN, 3, 5, NAN}, places{1, 0, 1, 1, 0};
    check_same(grad([](auto v) { return nansum(v * v); })(y), tensor<double, 1>{2, 0, 6, 10, 0});
    check_same(grad([](auto v) { return nanvar(v); })(y),
               tensor<double, 1>{-4 / 3.0, 0, 0, 4 / 3.0, 0});  // 2 (v - 3) / 3
    check_same(grad([](auto v) { return nanmax(v, 0); })(y), tensor<double, 1>{0, 0, 0, 1, 0});
    check_same(grad([](auto v) { return nanmean(v); })(y), places / 3.0);
}
TEST_CASE("nan reductions: NaN has no share in an infinite extremum") {
    const double inf = std::numeric_limits<double>::infinity();
    const tensor<double, 2> low{{NAN, -inf, -inf}, {NAN, NAN, NAN}, {NAN, 3, -inf}, {2, 2, inf}};
    const tensor<double, 2> expected{{0, 0.5, 0.5}, {0, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    check_same(grad([](auto v) { return sum(nanmax(v, 1)); })(low), expected);
    check_same(grad([](auto v) { return sum(nanmin(v, 1)); })(evaluate(-low)), expected);
    const auto [y, y_dot] =
        jvp([](auto v) { return nanmax(v, 1); }, low, tensor<double, 2>{{1, 2, 4}, {1, 2, 4}, {1, 2, 4}, {1, 2, 4}});
    check_same(y_dot, tensor<double, 1>{3, 0, 2, 4});
    CHECK(y.at(0) == -inf);
    CHECK(std::isnan(y.at(1)));
    const tensor<float16, 1> half{NAN, -INFINITY, -INFINITY};
    check_same(astype<double>(grad([](auto v) { return nanmax(v); })(half)), tensor<double, 1>{0, 0.5, 0.5});
    check_same(vmap(grad([](auto v) { return nanmax(v); }))(low), expected);
}
TEST_CASE("nan reductions: under vmap") {
    const auto y = reshape(numbers_and_nan(), {12, 5});
    const auto f = [](auto v) { return nanstddev(v) + nanmin(v, 0); };
    const auto all = vmap(f)(y);
    const auto expected = nanstddev(y, 1) + nanmin(y, 1);
    CHECK(std::isnan(all.at(6)));
    check_same(where(isnan(all), 0.0, all), where(isnan(expected), 0.0, expected));
}
