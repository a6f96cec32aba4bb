// Rows of the test table: bounds, of numbers beside NaN too.
#include "table/table.hpp"

RICCI_ROW(fmax, pointwise{
                    .reference = [](real a, real b) { return std::isnan(a)   ? b
                                                             : std::isnan(b) ? a
                                                             : a > b         ? a
                                                                             : b; },
                    .args = args(reals(-5, 5), reals(-5, 5)),
                    .special = {0.0, 1, -1, inf, -inf, nan},
                    .signed_zeros = false,
                });

RICCI_ROW(fmin, pointwise{
                    .reference = [](real a, real b) { return std::isnan(a)   ? b
                                                             : std::isnan(b) ? a
                                                             : a < b         ? a
                                                                             : b; },
                    .args = args(reals(-5, 5), reals(-5, 5)),
                    .special = {0.0, 1, -1, inf, -inf, nan},
                    .signed_zeros = false,
                });

RICCI_ROW(selu, pointwise{
                    .reference =
                        [](real x) {
                            return 1.0507009873554804934193349852946L *
                                   (x > 0 || x != x ? x : 1.6732632423543772848170429916717L * std::expm1(x));
                        },
                    .args = args(reals(-5, 5)),
                    .special = {0.0, -0.0, 1, -800, nan},
                    .ulp = 4,
                    .dtypes = types<std::int32_t>{},
                });
