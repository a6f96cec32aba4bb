// Rows of the test table: the error functions.
#include "table/table.hpp"

RICCI_ROW(erf, pointwise{
    .reference = [](real x) { return std::erf(x); },
    .args = args(reals(-3, 3)),
    .special = {0.0, -0.0, inf, -inf, nan, 1, -1, 6, -7, 1e300, 1e-300, 5e-324},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(erfc, pointwise{
    .reference = [](real x) { return std::erfc(x); },
    .args = args(reals(-3, 10)),
    .special = {0.0, -0.0, inf, -inf, nan, 0.4, -0.4, 9.2, 10.05, 26.5, 27.2, 28, 1e300, 1e-300},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});
