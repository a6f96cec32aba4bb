// Rows of the test table: Lambert's W, quantiles of the gamma and beta distributions; their values by mpmath.
#include <ricci/scientific.hpp>

#include "../golden/inverses.hpp"
#include "close_calls.hpp"
#include "table/table.hpp"

namespace table {

/// By Newton's method on w exp(w) = x in logarithms.
inline real lambert_w(real x) {
    const real e = 2.718281828459045235360287471352662498L;
    if (x != x || x < -1 / e) return nan;
    if (x == 0 || x == real(inf)) return x;
    real w = x < 0   ? -1 + std::sqrt(2 * (e * x + 1)) / 2
             : x < 3 ? std::log1p(x) / 2
                     : std::log(x) - std::log(std::log(x));
    for (int i = 0; i < 200; ++i) w -= (w - x * std::exp(-w)) / (1 + w);
    return w;
}
/// By halving, of the power series of the share.
inline real gamma_quantile(bool upper, real a, real p) {
    if (!(a > 0 && a < real(inf) && p >= 0 && p <= 1)) return nan;
    if (p == 0 || p == 1) return (p == 1) == upper ? real(0) : real(inf);
    const auto share = [&](real x) {
        real term = std::exp(a * std::log(x) - x - std::lgamma(a + 1)), sum = 0;
        for (real k = a + 1; sum + term != sum; ++k) {
            sum += term;
            term *= x / k;
        }
        return upper ? 1 - sum : sum;
    };
    real low = -200, high = std::log(a + 1) + 5;
    for (int i = 0; i < 90; ++i) {
        const real middle = (low + high) / 2;
        ((share(std::exp(middle)) < p) == upper ? high : low) = middle;
    }
    return std::exp(low);
}

/// I_x(a, b) by the power series in x (Abramowitz & Stegun 26.5.4), for x up to 1 / 2.
inline real beta_series(real a, real b, real x) {
    real term =
        std::exp(a * std::log(x) + b * std::log1p(-x) + std::lgamma(a + b) - std::lgamma(a + 1) - std::lgamma(b));
    real sum = 0;
    for (real k = 0; sum + term != sum; ++k) {
        sum += term;
        term *= x * (a + b + k) / (a + 1 + k);
    }
    return sum;
}
inline real beta_quantile(bool upper, real a, real b, real p) {
    if (!(a > 0 && b > 0 && a < real(inf) && b < real(inf) && p >= 0 && p <= 1)) return nan;
    if (p == 0 || p == 1) return (p == 1) == upper ? 0 : 1;
    real low = -60, high = 60;
    for (int i = 0; i < 90; ++i) {
        const real middle = (low + high) / 2, x = 1 / (1 + std::exp(-middle)), rest = 1 / (1 + std::exp(middle));
        const real share = x < 0.5L ? beta_series(a, b, x) : 1 - beta_series(b, a, rest);
        ((upper ? 1 - share < p : share > p) ? high : low) = middle;
    }
    return 1 / (1 + std::exp(-low));
}

}  // namespace table

RICCI_ROW(lambertw, pointwise{
                        .reference = table::lambert_w,
                        .args = args(reals(-0.3, 20)),
                        .special = {0.0, -0.0, 1, 1e-5, -0.36, -1, 1e30, inf, -inf, nan},
                        .ulp = 8,
                    });
RICCI_ROW(gammaincinv, pointwise{
                           .reference = [](real a, real p) { return table::gamma_quantile(false, a, p); },
                           .args = args(reals(0.5, 8), reals(0.05, 0.95)),
                           .special = {0.0, 0.5, 1, 3, -1, inf, nan},
                           .ulp = 16,
                       });
RICCI_ROW(gammainccinv, pointwise{
                            .reference = [](real a, real p) { return table::gamma_quantile(true, a, p); },
                            .args = args(reals(0.5, 8), reals(0.05, 0.95)),
                            .special = {0.0, 0.5, 1, 3, -1, inf, nan},
                            .ulp = 16,
                        });

RICCI_ROW(betaincinv, pointwise{
                          .reference = [](real a, real b, real p) { return table::beta_quantile(false, a, b, p); },
                          .args = args(reals(0.5, 5), reals(0.5, 5), reals(0.05, 0.95)),
                          .special = {0.0, 0.5, 1, 2, -1, nan},
                          .ulp = 32,
                      });
RICCI_ROW(betainccinv, pointwise{
                           .reference = [](real a, real b, real p) { return table::beta_quantile(true, a, b, p); },
                           .args = args(reals(0.5, 5), reals(0.5, 5), reals(0.05, 0.95)),
                           .special = {0.0, 0.5, 1, 2, -1, nan},
                           .ulp = 32,
                       });

TEST_CASE("Lambert's W and quantiles of the gamma and beta distributions: results of mpmath") {
    using namespace ricci;
    const tensor<double, 1> x{-0.36787944117144233,
                              -0.3678794411714,
                              -0.36787,
                              -0.36,
                              -0.3,
                              -0.1,
                              -1e-5,
                              1e-300,
                              1e-9,
                              1e-7,
                              0.001,
                              0.5,
                              1,
                              10,
                              1e20,
                              1e300},
        below{-0.3678794411714, -0.36787, -0.36, -0.3, -0.1, -0.01, -1e-5, -1e-100, -1e-300},
        c{0.3, 0.5, 1, 2, 10, 5, 0.05}, d{0.3, 2, 1, 3, 0.5, 80, 3}, a{0.05, 0.3, 0.7, 1, 2.5, 10, 77, 400};
    RICCI_INVERSE_CASES(RICCI_CHECK_CLOSE);
    CHECK_THROWS_WITH_AS(lambertw(x, 1), "[lambertw] the real branches are 0 and -1, not 1", value_error);
    CHECK(std::isinf(lambertw(tensor{0.0}, -1)(0).item()));
    CHECK(std::isnan(lambertw(tensor{0.1}, -1)(0).item()));
    CHECK(std::isinf(grad([](auto v) { return sum(lambertw(v)); })(tensor{-0.36787944117144233})(0).item()));
}
TEST_CASE("quantiles far out: back to the share they were asked of") {
    using namespace ricci;
    const auto close = [](double share, double wanted) { CHECK(std::fabs(share / wanted - 1) < 1e-12); };
    for (const double p : {0.6, 0.83})  // next to 0, below 1e-50
        close(gammainc(0.002, gammaincinv(0.002, tensor<double, 0>(p))).item(), p);
    for (const auto& [a, q] : {std::pair(11.54, 5.5e-300), std::pair(27.0, 4.7e-296), std::pair(0.6, 9.5e-254)})
        close(gammaincc(a, gammainccinv(a, tensor<double, 0>(q))).item(), q);
    for (const auto& [a, b, p] : {std::tuple(65.3, 0.0104, 8.57e-14), std::tuple(392.0, 0.0276, 1.95e-178),
                                  std::tuple(832.0, 0.0193, 7.6e-196), std::tuple(266.0, 30.0, 3.7e-283)})
        close(betainc(a, b, betaincinv(a, b, tensor<double, 0>(p))).item(), p);
}
