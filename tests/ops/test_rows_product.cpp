// Rows of the test table: prod.
#include "table/table.hpp"

namespace table {

const auto times = [](real a, real b) { return a * b; };

}  // namespace table

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
