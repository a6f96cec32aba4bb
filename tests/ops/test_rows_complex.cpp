// Rows of the test table: the parts of numbers, of real arrays here; complex ones are in ops/test_complex.cpp.
#include "table/table.hpp"

RICCI_ROW(real, row{
    .reference = [](real x) { return x; },
    .args = args(reals(-5, 5)),
    .special = {0.0, -0.0, inf, nan},
    .dtypes = everything{},
});

RICCI_ROW(conj, row{
    .reference = [](real x) { return x; },
    .args = args(reals(-5, 5)),
    .special = {0.0, -0.0, inf, nan},
    .dtypes = everything{},
});

RICCI_ROW(imag, row{
    .reference = [](real) { return real(0); },
    .args = args(reals(-5, 5)),
    .special = {0.0, -0.0, inf, nan},
    .dtypes = everything{},
});
