// Rows of the test table: exponential and complete elliptic integrals, Spence's function, the multivariate gamma
// function.
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
/// En by its continued fraction, below 2 by the recurrence from E1.
inline real integral_of_order(int n, real x) {
    if (x != x || x == 0) return x == 0 ? 1 / real(n - 1) : x;
    if (x == real(inf)) return 0;
    if (x < 2) {
        real y = -integral_of_exponential(-x);
        for (int j = 1; j < n; ++j) y = (std::exp(-x) - x * y) / j;
        return y;
    }
    real fraction = x + n + 400;
    for (int k = 200; k > 0; --k) fraction = x + n + 2 * k - 2 - k * real(n + k - 1) / fraction;
    return std::exp(-x) / fraction;
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
RICCI_ROW(expn, pointwise{
                    .reference = [](real x) { return x < 0 ? real(nan) : table::integral_of_order(3, x); },
                    .args = args(reals(0.1, 30)),
                    .special = {0.0, -0.0, 1, -1, 2, 2.001, 3.999, 1e-300, 40, 80, 700, inf, nan},
                    .ulp = 8,
                    .call = [](const auto& x) { return ricci::expn(3, x); },
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
TEST_CASE("exponential integrals of any order: results of mpmath") {
    using namespace ricci;
    const tensor<double, 1> x{0.001, 0.5, 1, 2, 3.5, 4, 10, 50};
    const auto check = [&](int n, const tensor<double, 1>& want) { CHECK(allclose(expn(n, x), want, 1e-14, 0.0)); };
    check(-2, {1999999999.6669164, 15.769797152528469, 1.8393972058572117, 0.16916910404576588, 0.01496663318307331,
               0.0074407282985482605, 5.538791431023152e-06, 4.014885683521691e-24});
    check(0, {999.000499833375, 1.2130613194252668, 0.36787944117144233, 0.06766764161830635, 0.008627823834948143,
              0.004578909722183545, 4.539992976248485e-06, 3.8574996959278354e-24});
    check(1, {6.331539364136149, 0.5597735947761608, 0.21938393439552029, 0.04890051070806112, 0.006970139857548393,
              0.0037793524098489067, 4.156968929685325e-06, 3.783264029550459e-24});
    check(2, {0.9926689604692388, 0.326643862324553, 0.14849550677592205, 0.03753426182049045, 0.005801893920899126,
              0.0031982292493385545, 3.830240465631609e-06, 3.711783318868827e-24});
    check(5, {0.24966691650035058, 0.13097731169586485, 0.0704542374617204, 0.02132240020232302, 0.003790181735105547,
              0.0021555113535254604, 3.0897289142536863e-06, 3.5124400631332395e-24});
    check(20, {0.05257605279316368, 0.031061217393630984, 0.018345971206755872, 0.0064143058553249,
               0.0013326113647977708, 0.0007901890998037152, 1.546936279877725e-06, 2.766423080976889e-24});
    check(45, {0.022704028814017143, 0.013626384701190203, 0.008170976287510075, 0.0029392372394707123,
               0.000634731887253228, 0.0003809029260047155, 8.378328620009591e-07, 2.0403243977173094e-24});
    check(200, {0.005020077660311138, 0.003040215548542781, 0.0018393509933536452, 0.0006732763738774259,
                0.00014911009318152525, 9.021602356966151e-05, 2.1717461014261647e-07, 7.739726731697414e-25});
    CHECK(expn(1, 0.0) == table::inf);
    CHECK(gradgradcheck([](auto t) { return sum(expn(2, t)); }, ricci::tuple(tensor{0.5, 1.5, 3.0})));
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
