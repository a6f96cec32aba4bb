// Rows of the test table: var.
#include "table/table.hpp"

namespace table {

/// The variance over axes, divided by n - correction.
dense variance(const dense& x, const std::vector<int>& axes, bool keep, real correction) {
    const dense centre = fold(x, axes, true, 0, [](real a, real b) { return a + b; }, [](real s, real n) { return s / n; });
    const dense squares = map([](real a, real m) { return (a - m) * (a - m); }, x, centre);
    return fold(squares, axes, keep, 0, [](real a, real b) { return a + b; },
                [&](real s, real n) { return s / (n - correction); });
}

}  // namespace table

RICCI_ROW(var,
    row{
        .reference = [](const dense& x) { return variance(x, {}, false, 0); },
        .args = args(reals(0, 5, ricci::shape{3, 4, 5})),
        .ulp = 4,
        .dtypes = everything{},
    },
    row{
        .reference = [](const dense& x) { return variance(x, {0, 1}, true, 1); },
        .args = args(reals(0, 5, ricci::shape{3, 4, 5})),
        .ulp = 4,
        .dtypes = floats{},
        .call = [](const auto& x) { return ricci::var(x, {0, 1}, ricci::keepdims, 1); },
    });
