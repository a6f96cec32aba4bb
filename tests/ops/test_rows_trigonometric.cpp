// Rows of the test table: sin, cos, atan.
#include "table/table.hpp"

RICCI_ROW(sin, row{
    .reference = [](real x) { return std::sin(x); },
    .args = args(reals(-30, 30)),
    .special = {0.0, -0.0, 1, inf, -inf, nan, 1e-300, 3.141592653589793, 1e5, -1e9, 1e22},
    .ulp = 2,
});

RICCI_ROW(cos, row{
    .reference = [](real x) { return std::cos(x); },
    .args = args(reals(-30, 30)),
    .special = {0.0, -0.0, 1, inf, -inf, nan, 1e-300, 1.5707963267948966, 1e5, -1e9, 1e22},
    .ulp = 2,
});

RICCI_ROW(atan, row{
    .reference = [](real x) { return std::atan(x); },
    .args = args(reals(-20, 20)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 1e-300, 1e300},
    .ulp = 2,
});
