// Rows of the test table: the Hurwitz zeta function, the incomplete beta function.
#include "table/table.hpp"

namespace table {

/// The sum of (q + k)^-s, its tail by the Euler-Maclaurin formula.
inline real hurwitz(real s, real q) {
    if (s != s || q != q || s < 1) return nan;
    if (s == 1 || (q <= 0 && q == std::floor(q))) return inf;
    if (q < 0 && (s != std::floor(s) || s == real(inf))) return nan;
    if (q == real(inf) || s == real(inf)) return s == real(inf) && q <= 1 ? (q == 1 ? real(1) : real(inf)) : real(0);
    real sum = 0;
    for (int k = 0; k < 200; ++k, ++q) sum += std::pow(q, -s);
    const real last = std::pow(q, -s);
    return sum +
           (last * q / (s - 1) + last / 2 + last * s / (12 * q) - last * s * (s + 1) * (s + 2) / (720 * q * q * q) +
            last * s * (s + 1) * (s + 2) * (s + 3) * (s + 4) / (30240 * q * q * q * q * q));
}
/// By its continued fraction.
inline real beta_share(real a, real b, real x) {
    if (!(x >= 0 && x <= 1)) return nan;
    if (x == 0 || x == 1) return x;
    if (x > (a + 1) / (a + b + 2)) return 1 - beta_share(b, a, 1 - x);
    real fraction = 1;
    for (real m = 200; m > 0; --m) {
        fraction = 1 + m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) / fraction;
        fraction = 1 - (a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1)) / fraction;
    }
    return std::exp(a * std::log(x) + b * std::log1p(-x) + std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b)) /
           (a * fraction);
}

}  // namespace table

RICCI_ROW(zeta, pointwise{
                    .reference = table::hurwitz,
                    .args = args(reals(1.3, 20), reals(0.3, 30)),
                    .special = {0.0, 0.5, 1, 2, 3, -1, -0.25, 24, inf, nan},
                    .ulp = 6,
                });
RICCI_ROW(betainc,
          pointwise{
              .reference = table::beta_share,
              .args = args(reals(0.3, 20), reals(0.3, 20), reals(0.05, 0.9)),
              .ulp = 24,  // of shares down to 1e-20
          },
          pointwise{
              .reference = [](real x) { return table::beta_share(2.5L, 4, x); },
              .args = args(reals(0.1, 0.9)),
              .special = {0.0, 0.5, 1, -1, 2, 1e-300, inf, nan},
              .ulp = 16,
              .call = [](const auto& x) { return ricci::betainc(2.5, 4.0, x); },
          });

TEST_CASE("incomplete beta function at its ends, as SciPy") {
    using namespace ricci;
    constexpr double infinity = table::inf;
    const tensor<double, 1> a{0, 1, 1, 1, infinity, 1, 0, 1, 2, 0.009, 300},
        b{1, 0, 1, 1, 1, infinity, 1, 0, 3, 4.8, 200}, x{0.5, 0.5, 0, 1, 0.5, 0.5, 0, 1, 1, 0.05, 0.55};
    const std::vector<double> y = reference::values(betainc(a, b, x));
    for (std::size_t i = 0; i < 9; ++i) CHECK(y[i] == std::vector<double>{1, 0, 0, 1, 0, 1, 0, 1, 1}[i]);
    CHECK(all(isnan(betainc(tensor{0, infinity, -1.0}, tensor{0, infinity, 1.0}, 0.5))).item());
}
