// Rows of the test table: clip, where.
#include "table/table.hpp"

RICCI_ROW(clip, row{
    .reference = [](real x, real low, real high) {
        const real at_least = x != x || x > low ? x : low;
        return at_least != at_least || at_least < high ? at_least : high;
    },
    .args = args(reals(-4, 4), reals(-3, -1), reals(1, 3)),
    .special = {0.0, -0.0, 1, -2, inf, -inf, nan},
});

RICCI_ROW(where, row{
    .reference = [](real mask, real a, real b) { return mask != 0 ? a : b; },
    .args = args(masks(), reals(-5, 5), reals(-5, 5)),
    .special = {0.0, 1, inf, nan},
    .dtypes = everything{},
});
