// Rows of the test table: max, min.
#include "table/table.hpp"

namespace table {

const auto larger = [](real a, real b) { return a > b ? a : b; };
const auto smaller = [](real a, real b) { return a < b ? a : b; };

}  // namespace table

RICCI_ROW(max,
    row{
        .reference = [](const dense& x) { return fold(x, {}, false, -inf, larger); },
        .args = args(reals(-9, 9, ricci::shape{3, 4, 5})),
        .dtypes = everything{},
    },
    row{
        .reference = [](const dense& x) { return fold(x, {0, 2}, true, -inf, larger); },
        .args = args(reals(-9, 9, ricci::shape{3, 4, 5})),
        .dtypes = floats{},
        .call = [](const auto& x) { return ricci::max(x, {0, 2}, ricci::keepdims); },
    });

RICCI_ROW(min,
    row{
        .reference = [](const dense& x) { return fold(x, {}, false, inf, smaller); },
        .args = args(reals(-9, 9, ricci::shape{3, 4, 5})),
        .dtypes = everything{},
    },
    row{
        .reference = [](const dense& x) { return fold(x, {1}, false, inf, smaller); },
        .args = args(reals(-9, 9, ricci::shape{3, 4, 5})),
        .dtypes = floats{},
        .call = [](const auto& x) { return ricci::min(x, 1); },
    });
