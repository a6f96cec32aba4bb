// Rows of the test table: divide, square, sqrt, abs, pow.
#include "table/table.hpp"

RICCI_ROW(divide, row{
    .reference = [](real a, real b) { return a / b; },
    .args = args(reals(-5, 5), reals(0.5, 5)),
    .special = {0.0, -0.0, 1, -3, inf, -inf, nan, 1e308, -1e-300},
    .dtypes = everything{},
});

RICCI_ROW(square, row{
    .reference = [](real x) { return x * x; },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, inf, -inf, nan, 1e200, 1e-200},
    .dtypes = everything{},
});

RICCI_ROW(sqrt, row{
    .reference = [](real x) { return std::sqrt(x); },
    .args = args(reals(0.1, 50)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 1e308, 1e-300, 5e-324},
    .dtypes = everything{},
});

RICCI_ROW(abs, row{
    .reference = [](real x) { return std::abs(x); },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, inf, -inf, nan, -5e-324},
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
