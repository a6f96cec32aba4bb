// Rows of the test table: expm1, log1p.
#include "table/table.hpp"

RICCI_ROW(expm1, pointwise{
    .reference = [](real x) { return std::expm1(x); },
    .args = args(reals(-8, 8)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 709, 710, -745, 88.5, 89, -103, 1e-20, -1e-300, 5e-324},
    .ulp = 2,
    .dtypes = types<std::int32_t, bool>{},
});

RICCI_ROW(log1p, pointwise{
    .reference = [](real x) { return std::log1p(x); },
    .args = args(reals(-0.9, 20)),
    .special = {0.0, -0.0, 1, -1, -2, inf, -inf, nan, 1e308, 1e-20, -1e-300, 5e-324, -0.9999999},
    .ulp = 2,
    .dtypes = types<std::int64_t>{},
});
