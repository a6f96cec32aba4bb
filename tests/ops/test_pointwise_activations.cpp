// Rows of the test table: activation functions.
#include "table/table.hpp"

RICCI_ROW(silu, pointwise{
                    .reference = [](real x) { return x / (1 + std::exp(-x)); },
                    .args = args(reals(-9, 9)),
                    .special = {0.0, -0.0, 40, -40, -80, inf, nan},
                    .ulp = 3,
                    .dtypes = types<std::int32_t>{},
                });

RICCI_ROW(gelu, pointwise{
                    .reference =
                        [](real x) {
                            return x == real(-inf)
                                       ? real(-0.0)
                                       : x * (0.5L * std::erfc(x * -0.70710678118654752440084436210484904L));
                        },
                    .args = args(reals(-7, 5)),
                    .special = {0.0, -0.0, 0.5, -0.5, 1e-300, 5, 40, -13.1, inf, -inf, nan},
                    .ulp = {2, 3.5},
                    .dtypes = types<std::int32_t>{},
                });

RICCI_ROW(elu, pointwise{
                   .reference = [](real x, real alpha) { return x > 0 || x != x ? x : alpha * std::expm1(x); },
                   .args = args(reals(-5, 5), reals(0.5, 2)),
                   .special = {0.0, -0.0, 1, -800, nan},
                   .ulp = 2.5,
                   .dtypes = types<std::int32_t>{},
               });

RICCI_ROW(leaky_relu, pointwise{
                          .reference = [](real x, real slope) { return x > 0 ? x : x * slope; },
                          .args = args(reals(-5, 5), reals(0.01, 0.5)),
                          .special = {0.0, -0.0, 1, -1, nan},
                          .dtypes = types<std::int32_t>{},
                      });

RICCI_ROW(mish, pointwise{
                    .reference = [](real x) { return x * std::tanh(x > 60 ? x : std::log1p(std::exp(x))); },
                    .args = args(reals(-7, 7)),
                    .special = {0.0, -0.0, 0.5, -0.5, 1e-300, 40, -80, inf, nan},
                    .ulp = 4,
                    .dtypes = types<std::int32_t>{},
                });

RICCI_ROW(gelu_tanh,
          pointwise{
              .reference =
                  [](real x) {
                      return x / (1 + std::exp(-1.5957691216057307117597842397375276L * x * (1 + 0.044715L * x * x)));
                  },
              .args = args(reals(-4, 5)),
              .special = {0.0, -0.0, 0.5, -0.5, 1e-300, 5, 40, inf, nan},
              .ulp = {20, 20},  // of the exponent, which grows with x
              .dtypes = types<std::int32_t>{},
          });

RICCI_ROW(logit,
          pointwise{
              .reference =
                  [](real x) { return std::abs(x - 0.5L) < 0.25L ? 2 * std::atanh(2 * x - 1) : std::log(x / (1 - x)); },
              .args = args(reals(0.05, 0.95)),
              .special = {0.0, -0.0, 1, -1, 2, 0.5, 0.25, 0.75, 0.5000001, 1e-300, 5e-324, nan},
              .ulp = 3,
          });

RICCI_ROW(xlogy, pointwise{
                     .reference = [](real a, real b) { return a == 0 && b == b ? real(0) : a * std::log(b); },
                     .args = args(reals(-5, 5), reals(0.1, 5)),
                     .special = {0.0, 1, -1, inf, nan},
                     .ulp = 3,
                     .dtypes = types<std::int32_t>{},
                     .signed_zeros = false,
                 });
