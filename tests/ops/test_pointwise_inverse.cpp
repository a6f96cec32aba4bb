// Rows of the test table: erfinv.
#include "table/table.hpp"

RICCI_ROW(erfinv, pointwise{
    .reference = [](real x) {  // Newton's method in long double from the library's own
        const real start = ricci::math::erfinv(static_cast<double>(x));
        real y = start;
        if (!(std::abs(start) > 0 && std::abs(start) < real(inf))) return y;
        for (int i = 0; i < 4; ++i) {
            const real error = x > 0.5L    ? (1 - x) - std::erfc(y)
                               : x < -0.5L ? std::erfc(-y) - (1 + x)
                                           : std::erf(y) - x;
            const real step = error * 0.886226925452758013649083741670572591L * std::exp(y * y);
            y -= step / (1 + step * y);
        }
        return y;
    },
    .args = args(reals(-0.97, 0.97)),
    .special = {0.0, -0.0, 1, -1, 2, inf, nan, 0.5, -0.75, 0.9999, 0.999999999, 1e-300},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(lerp, pointwise{
    .reference = [](real a, real b, real w) { return w < 0.5 ? a + w * (b - a) : b - (1 - w) * (b - a); },
    .args = args(reals(1, 2), reals(3, 4), reals(0, 1)),
    .special = {0.0, 1, -2, inf, nan},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
    .signed_zeros = false,
});

RICCI_ROW(nan_to_num, pointwise{
    .reference = [](real x) { return x != x ? real(0) : x; },
    .args = args(reals(-5, 5)),
    .special = {0.0, -0.0, nan, 1e30},
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(positive, pointwise{
    .reference = [](real x) { return x; },
    .args = args(reals(-5, 5)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan},
    .dtypes = types<std::int32_t, std::int8_t>{},
});
