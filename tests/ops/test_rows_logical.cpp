// Rows of the test table: logic on truth values.
#include "table/table.hpp"

RICCI_ROW(logical_and, row{
    .reference = [](real a, real b) { return a != 0 && b != 0; },
    .args = args(reals(-1, 1), reals(-1, 1)),
    .special = {0.0, -0.0, 1, inf, nan},
    .dtypes = everything{},
    .differentiable = never,
});

RICCI_ROW(logical_or, row{
    .reference = [](real a, real b) { return a != 0 || b != 0; },
    .args = args(reals(-1, 1), reals(-1, 1)),
    .special = {0.0, -0.0, 1, inf, nan},
    .dtypes = everything{},
    .differentiable = never,
});

RICCI_ROW(logical_xor, row{
    .reference = [](real a, real b) { return (a != 0) != (b != 0); },
    .args = args(reals(-1, 1), reals(-1, 1)),
    .special = {0.0, -0.0, 1, inf, nan},
    .dtypes = everything{},
    .differentiable = never,
});

RICCI_ROW(logical_not, row{
    .reference = [](real a) { return a == 0; },
    .args = args(reals(-1, 1)),
    .special = {0.0, -0.0, 1, inf, nan},
    .dtypes = everything{},
    .differentiable = never,
});
