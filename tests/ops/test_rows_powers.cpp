// Rows of the test table: sqrt, pow.
#include "table/table.hpp"

RICCI_ROW(sqrt, row{
    .reference = [](real x) { return std::sqrt(x); },
    .args = args(reals(0.1, 50)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 1e308, 1e-300, 5e-324},
    .dtypes = everything{},
});

RICCI_ROW(pow,
    row{
        .reference = [](real a, real b) { return std::pow(a, b); },
        .args = args(reals(0.3, 4), reals(0, 3)),
        .special = {0.0, -0.0, 1, -1, 2, 0.5, -2.5, 3, -3, inf, -inf, nan},
        .ulp = 2,
    },
    row{
        .reference = [](real a, real b) { return std::pow(a, b); },
        .args = args(reals(1e-3, 1e3), reals(-12, 12)),
        .ulp = 2,
        .dtypes = floats{},
        .differentiable = never,
    });
