// Rows of the test table: add, subtract.
#include "table/table.hpp"

RICCI_ROW(add, row{
    .reference = [](real a, real b) { return a + b; },
    .args = args(reals(-5, 5), reals(-5, 5)),
    .special = {0.0, -0.0, 1, inf, -inf, nan, 1e308},
    .dtypes = everything{},
});

RICCI_ROW(subtract, row{
                        .reference = [](real a, real b) { return a - b; },
                        .args = args(reals(-5, 5), reals(-5, 5)),
                        .special = {0.0, -0.0, 1, inf, -inf, nan, 1e308},
                        .dtypes = types<float, double, std::int32_t, std::int64_t, std::int8_t>{},  // not bool
                    });
