// Rows of the test table: powers and logarithms of other bases, roots.
#include "table/table.hpp"

RICCI_ROW(exp2, pointwise{
    .reference = [](real x) { return std::exp2(x); },
    .args = args(reals(-8, 8)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 3, 127.5, 128, -126.5, -149, -150, 1023.5, 1024, -1022.5, -1074, -1076, 0.3},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(log2, pointwise{
    .reference = [](real x) { return std::log2(x); },
    .args = args(reals(0.2, 90)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 2, 8, 0.125, 1e308, 1e-300, 5e-324, 0.9999999, 1.0000001},
    .ulp = 1.01,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(log10, pointwise{
    .reference = [](real x) { return std::log10(x); },
    .args = args(reals(0.2, 90)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 10, 1000, 1e308, 1e-300, 5e-324, 0.9999999, 1.0000001},
    .ulp = 1.01,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(cbrt, pointwise{
    .reference = [](real x) { return std::cbrt(x); },
    .args = args(reals(0.5, 90)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 8, -27, 1e308, -1e-300, 5e-324, 1e-310},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(rsqrt, pointwise{
    .reference = [](real x) { return x == 0 ? std::copysign(real(inf), x) : 1 / std::sqrt(x); },
    .args = args(reals(0.1, 90)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 4, 1e308, 1e-300, 5e-324},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(reciprocal, pointwise{
    .reference = [](real x) { return 1 / x; },
    .args = args(reals(0.1, 90)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 3, 1e308, -1e-300},
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(hypot, pointwise{
    .reference = [](real a, real b) { return std::hypot(a, b); },
    .args = args(reals(0.5, 4), reals(-4, -0.5)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 1e308, -1e-300, 5e-324},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(logaddexp, pointwise{
    .reference = [](real a, real b) {
        if (a == b) return a + std::log(real(2));
        return std::fmax(a, b) + std::log1p(std::exp(-std::abs(a - b))) + (a + b != a + b && !(a == -b) ? a + b : 0);
    },
    .args = args(reals(1, 9), reals(1, 9)),
    .special = {0.0, 1, 40, 800, -800, inf, nan},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});
