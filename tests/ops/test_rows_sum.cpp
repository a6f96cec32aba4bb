// Rows of the test table: sum and mean.
#include "table/table.hpp"

namespace table {

const auto total = [](real a, real b) { return a + b; };
const auto average = [](real s, real n) { return s / n; };

}  // namespace table

RICCI_ROW(sum,
    row{
        .reference = [](const dense& x) { return fold(x, {}, false, 0, total); },
        .args = args(reals(0.5, 9, ricci::shape{3, 4, 5})),
        .ulp = 2,
        .dtypes = everything{},
    },
    row{
        .reference = [](const dense& x) { return fold(x, {1}, false, 0, total); },
        .args = args(reals(0.5, 9, ricci::shape{3, 4, 5})),
        .ulp = 2,
        .dtypes = floats{},
        .call = [](const auto& x) { return ricci::sum(x, 1); },
    },
    row{
        .reference = [](const dense& x) { return fold(x, {2, 0}, true, 0, total); },
        .args = args(reals(0.5, 9, ricci::shape{3, 4, 5})),
        .ulp = 2,
        .dtypes = floats{},
        .call = [](const auto& x) { return ricci::sum(x, {-1, 0}, ricci::keepdims); },
    });

RICCI_ROW(mean,
    row{
        .reference = [](const dense& x) { return fold(x, {}, false, 0, total, average); },
        .args = args(reals(0.5, 9, ricci::shape{3, 4, 5})),
        .ulp = 2,
        .dtypes = everything{},
    },
    row{
        .reference = [](const dense& x) { return fold(x, {0, 1}, true, 0, total, average); },
        .args = args(reals(0.5, 9, ricci::shape{3, 4, 5})),
        .ulp = 2,
        .dtypes = floats{},
        .call = [](const auto& x) { return ricci::mean(x, {0, 1}, ricci::keepdims); },
    });
