// Rows of the test table: divide, square, abs.
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

RICCI_ROW(abs, row{
    .reference = [](real x) { return std::abs(x); },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, inf, -inf, nan, -5e-324},
    .dtypes = everything{},
});
