// Rows of the test table: predicates on floats.
#include "table/table.hpp"

RICCI_ROW(isnan, pointwise{
    .reference = [](real x) { return real(x != x); },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 1e308, 5e-324},
    .dtypes = types<std::int32_t, std::int8_t>{},
    .differentiable = never,
});

RICCI_ROW(isinf, pointwise{
    .reference = [](real x) { return real(std::isinf(x)); },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 3e38, 5e-324},
    .dtypes = types<std::int32_t, std::int8_t>{},
    .differentiable = never,
});

RICCI_ROW(isfinite, pointwise{
    .reference = [](real x) { return real(std::isfinite(x)); },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 3e38, 5e-324},
    .dtypes = types<std::int32_t, std::int8_t>{},
    .differentiable = never,
});

RICCI_ROW(signbit, pointwise{
    .reference = [](real x) { return real(std::signbit(x)); },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 3e38, -5e-324},
    .dtypes = types<std::int32_t, std::int8_t>{},
    .differentiable = never,
});
