// Rows of the test table: the logarithm of the gamma function and its derivatives.
#include "table/table.hpp"

namespace table {

/// digamma by its recurrence and asymptotic series; below 0 by reflection.
const auto psi = [](real x) -> real {
    if (x == 0) return -std::copysign(real(inf), x);
    if (x == real(-inf) || (x < 0 && x == std::floor(x))) return nan;
    if (!(x < real(inf))) return x;
    const real pi = 3.141592653589793238462643383279502884L;
    real sum = 0;
    if (x < 0) {
        sum = -pi / std::tan(pi * (x - std::round(x)));
        x = 1 - x;
    }
    for (; x < 40; ++x) sum -= 1 / x;
    const real u = 1 / (x * x);
    return sum + (std::log(x) - 0.5L / x - u * (1 / 12.0L - u * (1 / 120.0L - u * (1 / 252.0L - u / 240.0L))));
};

}  // namespace table

RICCI_ROW(lgamma,
    pointwise{
        .reference = [](real x) { return std::lgamma(x); },
        .args = args(reals(0.01, 30)),
        .special = {0.0, -0.0, 1, 2, 0.5, 1.5, 2.5, 3, -1, -2, -0.5, -3.25, 1e-300, -1e-300, 5e-324, -5e-324, 1e30, -1e30, 1e305, 1e308,
                    inf, -inf, nan},
        .ulp = 2,
        .dtypes = types<std::int32_t>{},
    },
    pointwise{
        .reference = [](real x) { return std::lgamma(x); },
        .args = args(reals(-5.9, -5.1)),
        .special = {-2.457024738220800, -2.5, -2.747682646727412, -2.6, -3.143580888349980, -3.955294284858598,
                    -4.039361839740536, -5.991544640560047, -6.000000001, -17.00000000000001, -170.5, -1e5 - 0.25, -1e-9},
        .ulp = 2,
    });

RICCI_ROW(digamma, pointwise{
    .reference = psi,
    .args = args(reals(0.1, 30)),
    .special = {0.0, -0.0, 1, 2, 0.5, 1.5, 2.5, 3, -1, -2, -0.75, -3.25, 1e-300, 1e30, 1e308, inf, -inf, nan},
    .ulp = 2,
    .dtypes = types<std::int64_t>{},
});

RICCI_ROW(polygamma,
    pointwise{
        .reference = [](real x) {
            real sum = 0;  // 2 sum of 1 / (x + k)^3, its tail by its integral
            for (; x < 3000; ++x) sum += 1 / (x * x * x);
            return -2 * (sum + 1 / (2 * x * x) + 1 / (2 * x * x * x) + 1 / (4 * x * x * x * x));
        },
        .args = args(reals(0.5, 20)),
        .special = {1, 2, 0.25},
        .ulp = 2,
        .call = [](const auto& x) { return ricci::polygamma(2, x); },
    },
    pointwise{
        .reference = [](real x) {  // of cot's derivative: pi^2 / sin^2(pi x) - trigamma(1 - x)
            if (x != x || x == real(-inf)) return real(nan);
            if (x == real(inf)) return real(0);
            if (x <= 0 && x == std::floor(x)) return real(inf);
            const real pi = 3.141592653589793238462643383279502884L;
            const bool below = x < 0;
            const real s = std::sin(pi * (x - std::round(x)));
            if (below) x = 1 - x;
            real sum = 0;
            for (; x < 3000; ++x) sum += 1 / (x * x);
            sum += 1 / x + 1 / (2 * x * x) + 1 / (6 * x * x * x);
            return below ? pi * pi / (s * s) - sum : sum;
        },
        .args = args(reals(-5.95, -5.05)),
        .special = {0.0, 1, 2, 0.25, -1, -0.5, -7.25, inf, -inf, nan},
        .ulp = 2,
        .call = [](const auto& x) { return ricci::polygamma(1, x); },
    });
