// Rows of the test table: remainders.
#include "table/table.hpp"

RICCI_ROW(fmod, pointwise{
    .reference = [](real a, real b) { return b == 0 && a == a ? real(nan) : std::fmod(a, b); },
    .args = args(reals(-40, -31), reals(10.5, 14.5)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 3, -3, 7.5, 1e30, 1e-300, 5e-324},
});

RICCI_ROW(remainder, pointwise{
    .reference = [](real a, real b) {
        const real r = std::fmod(a, b);
        if (r == 0) return std::copysign(r, b);
        return (r < 0) != (b < 0) ? r + b : r;
    },
    .args = args(reals(-40, -31), reals(10.5, 14.5)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 3, -3, 7.5, 1e30, -1e-30},
    .ulp = 1,
});

RICCI_ROW(floor_divide, pointwise{
    .reference = [](real a, real b) {
        const real r = std::fmod(a, b);
        if (b == 0) return a / b;
        if (std::isinf(b) && r != 0 && r == r) return (r < 0) != (b < 0) ? real(-1) : std::copysign(real(0), a / b);
        const real q = std::floor(a / b);
        return r != r ? r : q == 0 ? std::copysign(q, a / b) : q;
    },
    .args = args(reals(-40, -31), reals(10.5, 14.5)),
    .special = {0.0, -0.0, 1, -1, inf, -inf, nan, 3, -3, 7.5, 0.3, 1e5, -1e-5},
    .ulp = 1,
});
