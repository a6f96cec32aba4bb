// Rows of the test table: max, min and prod.
#include "table/table.hpp"

namespace table {

const auto larger = [](real a, real b) { return a > b ? a : b; };
const auto smaller = [](real a, real b) { return a < b ? a : b; };
const auto times = [](real a, real b) { return a * b; };

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

RICCI_ROW(prod,
    row{
        .reference = [](const dense& x) { return fold(x, {}, false, 1, times); },
        .args = args(reals(0.6, 2.4, ricci::shape{2, 3, 4})),
        .ulp = 16,
        .dtypes = everything{},
    },
    row{
        .reference = [](const dense& x) { return fold(x, {0, 2}, false, 1, times); },
        .args = args(reals(-2, 2, ricci::shape{2, 3, 4})),
        .ulp = 8,
        .dtypes = floats{},
        .call = [](const auto& x) { return ricci::prod(x, {0, 2}); },
    });
