// pad by statistics and straight lines: NumPy's values, derivatives, errors.
#include <ricci/ricci.hpp>

#include "../transforms/derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<int, 2> whole{{1, 2, 4}, {0, 8, 3}};
const auto halves = evaluate(whole / 2.0);

}  // namespace

TEST_CASE("pad: the mean, largest and smallest elements, as NumPy has them") {
    check_close(pad(halves, {{1, 2}, {2, 0}}, pad_statistic::mean),
                tensor<double, 2>{{1.5, 1.5, 0.25, 2.5, 1.75},
                                  {1.1666666666666667, 1.1666666666666667, 0.5, 1.0, 2.0},
                                  {1.8333333333333333, 1.8333333333333333, 0.0, 4.0, 1.5},
                                  {1.5, 1.5, 0.25, 2.5, 1.75},
                                  {1.5, 1.5, 0.25, 2.5, 1.75}},
                1e-15);
    check_close(pad(halves, {{1, 2}, {2, 0}}, pad_statistic::maximum), tensor<double, 2>{{4.0, 4.0, 0.5, 4.0, 2.0},
                                                                                         {2.0, 2.0, 0.5, 1.0, 2.0},
                                                                                         {4.0, 4.0, 0.0, 4.0, 1.5},
                                                                                         {4.0, 4.0, 0.5, 4.0, 2.0},
                                                                                         {4.0, 4.0, 0.5, 4.0, 2.0}});
    check_close(pad(halves, {{1, 2}, {2, 0}}, pad_statistic::minimum), tensor<double, 2>{{0.0, 0.0, 0.0, 1.0, 1.5},
                                                                                         {0.5, 0.5, 0.5, 1.0, 2.0},
                                                                                         {0.0, 0.0, 0.0, 4.0, 1.5},
                                                                                         {0.0, 0.0, 0.0, 1.0, 1.5},
                                                                                         {0.0, 0.0, 0.0, 1.0, 1.5}});
    const auto rounded = pad(whole, 1, pad_statistic::mean);
    static_assert(std::is_same_v<decltype(rounded)::value_type, int>);
    CHECK(array_equal(rounded, tensor<int, 2>{{3, 0, 5, 4, 3}, {2, 1, 2, 4, 2}, {4, 0, 8, 3, 4}, {3, 0, 5, 4, 3}}));
    CHECK(array_equal(pad(whole, 0, pad_statistic::mean), whole));
}
TEST_CASE("pad: straight lines to a value, as NumPy has them") {
    check_close(pad(halves, {{1, 2}, {2, 0}}, linear_ramp{9}), tensor<double, 2>{{9.0, 9.0, 9.0, 9.0, 9.0},
                                                                                 {9.0, 4.75, 0.5, 1.0, 2.0},
                                                                                 {9.0, 4.5, 0.0, 4.0, 1.5},
                                                                                 {9.0, 6.75, 4.5, 6.5, 5.25},
                                                                                 {9.0, 9.0, 9.0, 9.0, 9.0}});
    CHECK(array_equal(pad(whole, 2, linear_ramp{-3}), tensor<int, 2>{{-3, -3, -3, -3, -3, -3, -3},
                                                                     {-3, -2, -1, -1, 0, -2, -3},
                                                                     {-3, -1, 1, 2, 4, 0, -3},
                                                                     {-3, -2, 0, 8, 3, 0, -3},
                                                                     {-3, -3, -2, 2, 0, -2, -3},
                                                                     {-3, -3, -3, -3, -3, -3, -3}}));
}
TEST_CASE("pad: derivatives and batches of statistics and lines, errors") {
    const auto x = spread({3, 4});
    const auto means = [](auto a) { return pad(a, {1, 2}, pad_statistic::mean); };
    const auto largest = [](auto a) { return pad(a, {{2, 1}}, pad_statistic::maximum); };
    const auto lines = [](auto a) { return pad(a, 2, linear_ramp{0.5}); };
    check_first_order(means, x);
    check_first_order(largest, x);
    check_first_order(lines, x);
    const auto rows = vmap(lines)(x);
    for (index_t i = 0; i < 3; ++i) check_close(rows(i), lines(evaluate(x(i))));
    CHECK_THROWS_WITH_AS(pad(x, -1, pad_statistic::mean), "[pad] a margin must not be negative: -1 and -1 of axis 0",
                         value_error);
    CHECK_THROWS_WITH_AS(pad(zeros<double>({0, 2}), 1, linear_ramp{}),
                         "[pad] axis 0 of shape (0, 2) is too short to be continued", value_error);
}
