// Rows of the test table: the comparisons.
#include "table/table.hpp"

RICCI_ROW(equal, row{
    .reference = [](real a, real b) { return a == b; },
    .args = args(reals(-3, 3), reals(-3, 3)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan},
    .dtypes = everything{},
    .differentiable = never,
});

RICCI_ROW(not_equal, row{
    .reference = [](real a, real b) { return a != b; },
    .args = args(reals(-3, 3), reals(-3, 3)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan},
    .dtypes = everything{},
    .differentiable = never,
});

RICCI_ROW(less, row{
    .reference = [](real a, real b) { return a < b; },
    .args = args(reals(-3, 3), reals(-3, 3)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan},
    .dtypes = everything{},
    .differentiable = never,
});

RICCI_ROW(less_equal, row{
    .reference = [](real a, real b) { return a <= b; },
    .args = args(reals(-3, 3), reals(-3, 3)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan},
    .dtypes = everything{},
    .differentiable = never,
});

RICCI_ROW(greater, row{
    .reference = [](real a, real b) { return a > b; },
    .args = args(reals(-3, 3), reals(-3, 3)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan},
    .dtypes = everything{},
    .differentiable = never,
});

RICCI_ROW(greater_equal, row{
    .reference = [](real a, real b) { return a >= b; },
    .args = args(reals(-3, 3), reals(-3, 3)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan},
    .dtypes = everything{},
    .differentiable = never,
});
