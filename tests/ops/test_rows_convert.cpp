// Rows of the test table: astype and map.
#include "table/table.hpp"

RICCI_ROW(astype,
    row{
        .reference = [](real x) { return x; },
        .args = args(reals(-50, 50)),
        .special = {0.0, -0.0, inf, -inf, nan, 1e300, 5e-324},
        .dtypes = everything{},
        .call = [](const auto& x) { return ricci::astype<double>(x); },
    },
    row{
        .reference = [](real x) { return x; },
        .args = args(reals(-50, 50)),
        .special = {0.0, -0.0, inf, -inf, nan, 1e300, 5e-324},
        .dtypes = everything{},
        .differentiable = never,  // in float precision only: the rows' bound is double's
        .call = [](const auto& x) { return ricci::astype<float>(x); },
    },
    row{
        .reference = [](real x) { return std::trunc(x); },
        .args = args(reals(-50, 50)),
        .special = {0.0, -0.0, 0.99, -0.99, 1e9, -1e9},
        .dtypes = everything{},
        .differentiable = never,
        .call = [](const auto& x) { return ricci::astype<std::int32_t>(x); },
    },
    row{
        .reference = [](real x) { return x != 0; },
        .args = args(reals(-2, 2)),
        .special = {0.0, -0.0, 0.25, inf, nan, 5e-324},
        .dtypes = everything{},
        .differentiable = never,
        .call = [](const auto& x) { return ricci::astype<bool>(x); },
    });

RICCI_ROW(map, row{
    .reference = [](real a, real b) {
        real y = b;
        for (int k = 0; k < 3; ++k) y = y * a + 1;
        return y + std::exp(a);
    },
    .args = args(reals(0.1, 2), reals(0.5, 2)),
    .special = {0.0, 1, inf, nan},
    .ulp = 4,
    .call = [](const auto& a, const auto& b) {
        const auto f = [](auto x, auto y) {
            auto z = y * x + 1;  // the type of both, whichever of them carries a derivative
            for (int k = 1; k < 3; ++k) z = z * x + 1;
            return z + exp(x);
        };
        return ricci::map(f, a, b);
    },
});
