// take, gather, scatter, index_add, masked_select, nonzero, argwhere and their relatives against NumPy's results.
#include "indexing.hpp"

using namespace indexing;

#define RICCI_CHECK_INDEXED(call, shape, elements) \
    ::indexing::check_values(#call, RICCI_STRIP call, {RICCI_STRIP shape}, {RICCI_STRIP elements});

TEST_CASE("indexing: functions of indices") {
    RICCI_NAMES;
    const tensor<int, 3> order(RICCI_ORDER), lines{{{0, 2, 1, 1, -1}}};
    const tensor<std::int64_t, 3> part{{{1, 1, 3}, {2, 0, 3}}, {{1, 1, 3}, {2, 0, 3}}};
    const auto fours = every(shape{3, 4, 5}, 4, 1), twenties = every(shape{3, 4, 5}, 20, 3);
    const auto x = numbers(reference::layout::permuted);
    RICCI_FUNCTION_CASES(RICCI_CHECK_INDEXED);
}
TEST_CASE("indexing: a tuple of positions selects what its mask selects") {
    const auto x = numbers();
    const auto mask = every(shape{3, 4, 5}, 3, 0);
    std::apply([&](const auto&... i) { CHECK(values(x(i...)) == values(x(mask))); }, nonzero(mask));
    CHECK(std::get<0>(nonzero(tensor<double, 0>(0))).size() == 0);
}
