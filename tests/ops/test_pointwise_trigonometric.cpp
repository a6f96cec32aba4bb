// Rows of the test table: the other trigonometric functions.
#include "table/table.hpp"

RICCI_ROW(tan, pointwise{
    .reference = [](real x) { return std::tan(x); },
    .args = args(reals(-1.4, 1.4)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 3, -100, 1e6, 3e9, 1e300, 1e-300, 5e-324},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(asin, pointwise{
    .reference = [](real x) { return std::asin(x); },
    .args = args(reals(-0.9, 0.9)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 0.5, -0.5, 0.999999, 1.5, 1e-300, 5e-324},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(acos, pointwise{
    .reference = [](real x) { return std::acos(x); },
    .args = args(reals(-0.9, 0.9)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 0.5, -0.5, 0.999999, -0.999999, 1.5},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(atan2, pointwise{
    .reference = [](real y, real x) { return std::atan2(y, x); },
    .args = args(reals(-4, 4), reals(0.5, 4)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 1e300, -1e-300, 5e-324},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(sinc, pointwise{
    .reference = [](real x) {
        const real pi = 3.141592653589793238462643383279502884L, r = x - std::nearbyint(x);
        if (std::isinf(x)) return real(0);
        if (r == 0) return real(x == 0);
        return std::sin(pi * r) / (pi * x) * (std::fmod(std::nearbyint(x), 2) == 0 ? 1 : -1);
    },
    .args = args(reals(0.1, 3.9)),
    .special = {0.0, -0.0, 1, -2, 0.5, 1e-300, 1000.5, inf, -inf, nan},
    .ulp = 4,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(deg2rad, pointwise{
    .reference = [](real x) { return x * 3.141592653589793238462643383279502884L / 180; },
    .args = args(reals(-400, 400)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan},
    .ulp = 1,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(rad2deg, pointwise{
    .reference = [](real x) { return x * 180 / 3.141592653589793238462643383279502884L; },
    .args = args(reals(-7, 7)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan},
    .ulp = 1,
    .dtypes = types<std::int32_t>{},
});
