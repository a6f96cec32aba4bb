// Rows of the test table: the other hyperbolic functions.
#include "table/table.hpp"

RICCI_ROW(sinh, pointwise{
    .reference = [](real x) { return std::sinh(x); },
    .args = args(reals(-6, 6)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 89, -89.3, 710, 710.4, -711, 1e-300, 5e-324},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(cosh, pointwise{
    .reference = [](real x) { return std::cosh(x); },
    .args = args(reals(-6, 6)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 89, -89.3, 710, 710.4, -711, 1e-300},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(asinh, pointwise{
    .reference = [](real x) { return std::asinh(x); },
    .args = args(reals(-6, 6)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 1e10, -1e160, 1e308, 1e-10, 1e-300, 5e-324},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(acosh, pointwise{
    .reference = [](real x) { return std::acosh(x); },
    .args = args(reals(1.1, 9)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 1.0000001, 0.5, 1e10, 1e160, 1e308},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(atanh, pointwise{
    .reference = [](real x) { return std::atanh(x); },
    .args = args(reals(-0.9, 0.9)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 0.999999, -2, 1e-10, 1e-300, 5e-324},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});
