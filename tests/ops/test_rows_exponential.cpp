// Rows of the test table: exp, log, tanh.
#include "table/table.hpp"

RICCI_ROW(exp, row{
    .reference = [](real x) { return std::exp(x); },
    .args = args(reals(-8, 8)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 709, 710, -745, -746, 88.5, 89, -87, -103, -104, 1e-20},
    .ulp = 2,
});

RICCI_ROW(log, row{
    .reference = [](real x) { return std::log(x); },
    .args = args(reals(0.2, 90)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 1e308, 1e-300, 5e-324, 0.9999999, 1.0000001},
    .ulp = 2,
});

RICCI_ROW(tanh, row{
    .reference = [](real x) { return std::tanh(x); },
    .args = args(reals(-10, 10)),
    .special = {0.0, -0.0, inf, -inf, nan, 1e-300, 1e-8, 0.6, 700},
    .ulp = 2,
});
