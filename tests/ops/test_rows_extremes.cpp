// Rows of the test table: maximum, minimum.
#include "table/table.hpp"

RICCI_ROW(maximum, row{
    .reference = [](real a, real b) { return a != a || a > b ? a : b; },
    .args = args(reals(-5, 5), reals(-5, 5)),
    .special = {0.0, -0.0, 1, inf, -inf, nan},
    .dtypes = everything{},
});

RICCI_ROW(minimum, row{
    .reference = [](real a, real b) { return a != a || a < b ? a : b; },
    .args = args(reals(-5, 5), reals(-5, 5)),
    .special = {0.0, -0.0, 1, inf, -inf, nan},
    .dtypes = everything{},
});
