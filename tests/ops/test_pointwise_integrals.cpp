// Rows of the test table: exponential and complete elliptic integrals, Spence's function, the multivariate gamma function.
#include "../golden/special.hpp"
#include "close_calls.hpp"
#include "table/table.hpp"

namespace table {

/// E1 by its continued fraction from 2 on, below by its power series, as Ei for x > 0.
inline real integral_of_exponential(real x) {
    if (x != x || x == 0) return x == 0 ? real(-inf) : x;
    if (std::abs(x) == real(inf)) return x > 0 ? x : real(-0.0);
    if (x < -2) {
        real fraction = 0;
        for (real k = 200; k > 0; --k) fraction = k / (1 + k / (-x + fraction));
        return -std::exp(x) / (-x + fraction);
    }
    if (x > 50) {  // the asymptotic series
        real term = 1, sum = 1;
        for (real k = 1; k < 40 && k < x; ++k) sum += term *= k / x;
        return std::exp(x) / x * sum;
    }
    real term = 1, sum = 0;
    for (real k = 1; k < 200; ++k) sum += (term *= x / k) / k;
    return 0.577215664901532860606512090082402431L + std::log(std::abs(x)) + sum;
}
/// K(m) and E(m) for p = 1 - m, by the arithmetic-geometric mean.
inline real elliptic_integral(bool second, real p) {
    if (p != p || p < 0) return nan;
    if (p == 0 || p == real(inf)) return second == (p == 0) ? (second ? real(1) : real(0)) : real(inf);
    real a = 1, b = std::sqrt(p), squares = (1 - p) / 2, weight = 1;
    for (int k = 0; k < 16; ++k, weight *= 2) {
        const real away = (a - b) / 2, root = std::sqrt(a * b);
        squares += weight * away * away;
        a = (a + b) / 2;
        b = root;
    }
    const real first = 1.57079632679489661923132169163975144L / a;
    return second ? first * (1 - squares) : first;
}
/// Li2(1 - z), its argument brought below 1/2 by reflection and inversion.
inline real dilogarithm(real z) {
    if (z != z || z < 0) return nan;
    if (z == 0) return 1.64493406684822643647241516664602519L;
    if (z == real(inf)) return -inf;
    if (z > 2) return -std::log(z) * std::log(z) / 2 - dilogarithm(1 / z);
    if (z < 0.5L) return 1.64493406684822643647241516664602519L - std::log(z) * std::log1p(-z) - dilogarithm(1 - z);
    const real u = -std::log(z);  // of Bernoulli numbers
    constexpr real b[] = {1 / 6.0L,       -1 / 30.0L, 1 / 42.0L,      -1 / 30.0L,     5 / 66.0L,
                          -691 / 2730.0L, 7 / 6.0L,   -3617 / 510.0L, 43867 / 798.0L, -174611 / 330.0L};
    real term = u, sum = u - u * u / 4;
    for (int k = 1; k <= 10; ++k) sum += b[k - 1] * (term *= u * u / (2 * k * (2 * k + 1)));
    return sum;
}

}  // namespace table

RICCI_ROW(expi, pointwise{
                    .reference = table::integral_of_exponential,
                    .args = args(reals(0.1, 30)),
                    .special = {0.0,    -0.0,   1,      -1, 0.3725, 0.2,  0.5, 7.9999, 8.0001, 24,   1e-300,
                                -1e-20, -0.999, -1.001, -5, -40,    -700, 60,  85,     inf,    -inf, nan},
                    .ulp = 8,
                    .dtypes = types<std::int32_t>{},
                });
RICCI_ROW(exp1, pointwise{
                    .reference = [](real x) { return x < 0 ? real(nan) : -table::integral_of_exponential(-x); },
                    .args = args(reals(0.1, 30)),
                    .special = {0.0, -0.0, 1, -1, 0.999, 1.001, 1e-300, 40, 80, 700, inf, nan},
                    .ulp = 8,
                });
RICCI_ROW(ellipk, pointwise{
                      .reference = [](real m) { return table::elliptic_integral(false, 1 - m); },
                      .args = args(reals(-3, 0.9)),
                      .special = {0.0, -0.0, 1, 2, 0.5, 0.99999, 1e-300, -1e-5, -1e5, -1e30, -inf, nan},
                      .ulp = 4,
                      .dtypes = types<std::int32_t>{},
                  });
RICCI_ROW(ellipkm1, pointwise{
                        .reference = [](real p) { return table::elliptic_integral(false, p); },
                        .args = args(reals(0.1, 4)),
                        .special = {0.0, -0.0, 1, -1, 1e-5, 1e-30, 1e-300, 1e5, inf, nan},
                        .ulp = 4,
                    });
RICCI_ROW(ellipe, pointwise{
                      .reference = [](real m) { return table::elliptic_integral(true, 1 - m); },
                      .args = args(reals(-3, 0.9)),
                      .special = {0.0, -0.0, 1, 2, 0.5, 0.99999, 1e-300, -1e-5, -1e5, -inf, nan},
                      .ulp = 4,
                  });
RICCI_ROW(spence, pointwise{
                      .reference = table::dilogarithm,
                      .args = args(reals(0.1, 12)),
                      .special = {0.0, -0.0, 1, -1, 0.1353, 7.389, 2, 0.5, 1.0001, 1e-6, 1e-300, 1e30, inf, nan},
                      .ulp = 4,
                      .dtypes = types<std::int32_t>{},
                  });
RICCI_ROW(multigammaln, pointwise{
                            .reference =
                                [](real x) {
                                    if (!(x > 1)) return real(nan);
                                    return 1.71709482877410217L + std::lgamma(x) + std::lgamma(x - 0.5L) +
                                           std::lgamma(x - 1);
                                },
                            .args = args(reals(4, 30)),
                            .special = {0.5, 1, 5, 100, inf, nan},
                            .ulp = 6,
                            .call = [](const auto& x) { return ricci::multigammaln(x, 3); },
                        });

TEST_CASE("exponential and elliptic integrals, Spence's function: results of mpmath") {
    using namespace ricci;
    using calls::not_a_number;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const tensor<double, 1> x{-40, -20, -5, -1, -0.3, 0, 0.3, 1, 5, 9},
        p{0, 1e-300, 1e-20, 0.01, 0.3, 0.5, 0.6, 0.99, 1, 2};
    const tensor<double, 1> a{0.5, 1, 2, 3, 20, 1e6, 1e-5, 0.1, 1e8, 11};
    CHECK(expi(0.3725074107813666) / -5.1196989365556847e-17 == doctest::Approx(1).epsilon(1e-15));  // beside the zero
    RICCI_INTEGRAL_CASES(RICCI_CHECK_CLOSE);
    constexpr int most = std::numeric_limits<int>::max();
    CHECK(all(isnan(multigammaln(a, most))).item());                              // without a term for each dimension
    const auto far = evaluate(polygamma(most - 1, tensor{0.5, 1.0, 1.5, -0.5}));  // torch: -inf, -inf, nan, nan
    CHECK(array_equal(far(slice(0, 2)), full({2}, -infinity)));
    CHECK(all(isnan(far(slice(2, none)))).item());
    CHECK(allclose(polygamma(100, tensor{0.5, 1.0, 50.0}),  // mpmath
                   tensor{-2.36610066049089716e+188, -9.33262154439441527e+157, -2.7391048021902828e-14}, 1e-13, 0.0));
    CHECK_THROWS_WITH_AS(multigammaln(a, 0), "[multigammaln] the number of dimensions must be positive: 0",
                         value_error);
}
TEST_CASE("derivatives of elliptic integrals and Spence's function where their formulas are 0 / 0") {
    using namespace ricci;
    const auto thrice = [](auto f, double x) {
        return std::array{grad(f)(x), grad(grad(f))(x), grad(grad(grad(f)))(x)};
    };
    const double quarter = 1.57079632679489662;
    const auto k = thrice([](const auto& m) { return ellipk(m); }, 0),
               e = thrice([](const auto& m) { return ellipe(m); }, 0);
    const auto s = thrice([](const auto& z) { return spence(z); }, 1);
    const std::array k_expected{quarter / 4, quarter * 9 / 32, quarter * 75 / 128};
    const std::array e_expected{-quarter / 4, -quarter * 3 / 32, -quarter * 15 / 128}, s_expected{-1.0, 0.5, -2. / 3};
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(k[i] == doctest::Approx(k_expected[i]).epsilon(1e-15));
        CHECK(e[i] == doctest::Approx(e_expected[i]).epsilon(1e-15));
        CHECK(s[i] == doctest::Approx(s_expected[i]).epsilon(1e-15));
    }
    // at the edge of the series, by mpmath
    const auto edge = thrice([](const auto& m) { return ellipk(m); }, 0.0626);
    CHECK(edge[0] == doctest::Approx(0.4222813459944244).epsilon(1e-14));
    CHECK(edge[2] == doctest::Approx(1.1218028959286634).epsilon(1e-10));
    CHECK(grad([](const auto& m) { return ellipk(m); })(1.0) == table::inf);
    CHECK(grad([](const auto& m) { return ellipe(m); })(1.0) == -table::inf);
}
