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
TEST_CASE("nan reductions: under vmap") {
    const auto y = reshape(numbers_and_nan(), {12, 5});
    const auto f = [](auto v) { return nanstddev(v) + nanmin(v, 0); };
    const auto all = vmap(f)(y);
    const auto expected = nanstddev(y, 1) + nanmin(y, 1);
    CHECK(std::isnan(all.at(6)));
    check_same(where(isnan(all), 0.0, all), where(isnan(expected), 0.0, expected));
}
