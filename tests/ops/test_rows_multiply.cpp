// Rows of the test table: multiply, negative.
#include "table/table.hpp"

RICCI_ROW(multiply, row{
    .reference = [](real a, real b) { return a * b; },
    .args = args(reals(-5, 5), reals(-5, 5)),
    .special = {0.0, -0.0, 1, inf, -inf, nan, 1e308, -1e-300},
    .dtypes = everything{},
});

RICCI_ROW(negative, row{
    .reference = [](real x) { return -x; },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, inf, -inf, nan},
    .dtypes = signed_numbers{},
});
