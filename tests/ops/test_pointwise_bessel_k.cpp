// Rows of the test table: modified Bessel functions of the second kind.
#include "table/table.hpp"

namespace table {

/// exp(x) K_n(x) = the integral of exp(x - x cosh t) cosh(n t) over t > 0, by the trapezoidal rule.
inline real scaled_bessel_k(int n, real x) {
    if (x != x || x < 0) return nan;
    if (x == 0 || x == real(inf)) return x == 0 ? real(inf) : real(0);
    const real last = std::acosh(1 + 60 / x), step = last / 400;
    real sum = 0.5L;
    for (int k = 1; k <= 400; ++k) {
        const real s = std::sinh(k * step / 2);
        sum += std::exp(-2 * x * s * s) * (n == 0 ? 1 : std::cosh(k * step));
    }
    return sum * step;
}
inline real bessel_k(int n, real x) { return x == real(inf) ? real(0) : scaled_bessel_k(n, x) * std::exp(-x); }

}  // namespace table

RICCI_ROW(k0, pointwise{
                  .reference = [](real x) { return table::bessel_k(0, x); },
                  .args = args(reals(0.1, 20)),
                  .special = {0.0, -0.0, 1, -1, 1e-6, 1.9999, 2, 2.0001, 80, 600, inf, -inf, nan},
                  .ulp = 10,
                  .dtypes = types<std::int32_t>{},
              });
RICCI_ROW(k1, pointwise{
                  .reference = [](real x) { return table::bessel_k(1, x); },
                  .args = args(reals(0.1, 20)),
                  .special = {0.0, -0.0, 1, -1, 1e-6, 1.9999, 2, 2.0001, 80, 600, inf, -inf, nan},
                  .ulp = 10,
              });
RICCI_ROW(k0e, pointwise{
                   .reference = [](real x) { return table::scaled_bessel_k(0, x); },
                   .args = args(reals(0.1, 20)),
                   .special = {0.0, -0.0, 1, -1, 1e-6, 1.9999, 2, 2.0001, 80, 600, 1e6, inf, -inf, nan},
                   .ulp = 10,
               });
RICCI_ROW(k1e, pointwise{
                   .reference = [](real x) { return table::scaled_bessel_k(1, x); },
                   .args = args(reals(0.1, 20)),
                   .special = {0.0, -0.0, 1, -1, 1e-6, 1.9999, 2, 2.0001, 80, 600, 1e6, inf, -inf, nan},
                   .ulp = 10,
               });

TEST_CASE("derivatives of the modified Bessel functions at 0 are infinite") {
    const auto slope = [](auto f) { return ricci::grad(f)(0.0); };
    CHECK(slope([](const auto& x) { return ricci::k0(x); }) == -table::inf);
    CHECK(slope([](const auto& x) { return ricci::k1(x); }) == -table::inf);
    CHECK(slope([](const auto& x) { return ricci::k0e(x); }) == -table::inf);
    CHECK(slope([](const auto& x) { return ricci::k1e(x); }) == -table::inf);
}
