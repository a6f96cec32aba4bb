// Rows of the test table: angle, isreal, of real arrays; complex, polar and complex arrays are in ops/test_complex.cpp.
#include "table/table.hpp"

RICCI_ROW(angle, row{
    .reference = [](real x) { return std::atan2(real(0), x); },
    .args = args(reals(-5, 5)),
    .special = {0.0, -0.0, inf, -inf, nan},
    .ulp = 1,
});

RICCI_ROW(isreal, row{
    .reference = [](real) { return true; },
    .args = args(reals(-5, 5)),
    .special = {0.0, inf, nan},
    .dtypes = everything{},
    .differentiable = never,
});

RICCI_ROW(complex, covered_by{"ops/test_complex.cpp"});
RICCI_ROW(polar, covered_by{"ops/test_complex.cpp"});
