// Rows of the test table: rounding to integers, and the sign.
#include "table/table.hpp"

RICCI_ROW(floor, pointwise{
    .reference = [](real x) { return std::floor(x); },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.7, -0.7, 1e300, -8388609.0, 4503599627370497.5, 5e-324, inf, -inf, nan},
    .dtypes = types<std::int32_t, std::int64_t, std::int8_t>{},
});

RICCI_ROW(ceil, pointwise{
    .reference = [](real x) { return std::ceil(x); },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.7, -0.7, 1e300, -8388609.0, 4503599627370497.5, 5e-324, inf, -inf, nan},
    .dtypes = types<std::int32_t, std::int64_t, std::int8_t>{},
});

RICCI_ROW(trunc, pointwise{
    .reference = [](real x) { return std::trunc(x); },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.7, -0.7, 1e300, -8388609.0, 4503599627370497.5, 5e-324, inf, -inf, nan},
    .dtypes = types<std::int32_t, std::int64_t, std::int8_t>{},
});

RICCI_ROW(round, pointwise{
    .reference = [](real x) { return std::nearbyint(x); },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.7, -0.7, 1e300, -8388609.0, 4503599627370497.5, 5e-324, inf, -inf, nan},
    .dtypes = types<std::int32_t, std::int64_t, std::int8_t>{},
});

RICCI_ROW(sign, pointwise{
    .reference = [](real x) { return x > 0 ? real(1) : x < 0 ? real(-1) : x != x ? x : real(0); },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.7, -0.7, 1e300, -8388609.0, 4503599627370497.5, 5e-324, inf, -inf, nan},
    .dtypes = types<std::int32_t, std::int64_t, std::int8_t>{},
});

RICCI_ROW(copysign, pointwise{
    .reference = [](real a, real b) { return std::copysign(a, b); },
    .args = args(reals(0.5, 9), reals(-9, -0.5)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan},
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(heaviside, pointwise{
    .reference = [](real x, real h) { return x != x ? x : x == 0 ? h : real(x > 0); },
    .args = args(reals(-9, 9), reals(0, 1)),
    .special = {0.0, -0.0, 0.5, -2, inf, nan},
    .dtypes = types<std::int32_t, std::int64_t, std::int8_t>{},
});
