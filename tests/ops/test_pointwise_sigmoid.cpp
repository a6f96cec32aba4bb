// Rows of the test table: the logistic function and its relatives, relu.
#include "table/table.hpp"

RICCI_ROW(sigmoid, pointwise{
    .reference = [](real x) { return 1 / (1 + std::exp(-x)); },
    .args = args(reals(-30, 30)),
    .special = {0.0, -0.0, inf, -inf, nan, 40, -700, -740, -90, -103},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(softplus, pointwise{
    .reference = [](real x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); },
    .args = args(reals(-30, 30)),
    .special = {0.0, -0.0, inf, -inf, nan, 40, -700, -740, 1e30},
    .ulp = 3,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(log_sigmoid, pointwise{
    .reference = [](real x) { return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x)); },
    .args = args(reals(-30, 30)),
    .special = {0.0, -0.0, inf, -inf, nan, 40, 700, 740, -1e30},
    .ulp = 3,
    .dtypes = types<std::int32_t>{},
    .signed_zeros = false,
});

RICCI_ROW(relu, pointwise{
    .reference = [](real x) { return x != x || x > 0 ? x : real(0); },
    .args = args(reals(-5, 5)),
    .special = {0.0, -0.0, inf, -inf, nan},
    .dtypes = types<std::int32_t, std::int8_t>{},
    .signed_zeros = false,
});
