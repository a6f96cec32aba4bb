// Rows of the test table: incomplete gamma functions, the scaled error function.
#include "../golden/incomplete.hpp"
#include "close_calls.hpp"
#include "table/table.hpp"

namespace table {

/// By the power series of P, or by the continued fraction of Q from x = a + 1 on.
inline real gamma_share(bool upper, real a, real x) {
    if (x != x || a != a || a < 0 || x < 0 || (a == x && (a == 0 || a == real(inf)))) return nan;
    if (x == 0 || a == real(inf) || a == 0 || x == real(inf)) return (x < a) == upper ? 1 : 0;
    const real power = std::exp(a * std::log(x) - x - std::lgamma(a));
    if (x < a + 1) {
        real term = 1 / a, sum = 0;
        for (real k = a + 1; sum + term != sum; ++k) {
            sum += term;
            term *= x / k;
        }
        return upper ? 1 - power * sum : power * sum;
    }
    real fraction = x + 800 + 1 - a;
    for (real k = 400; k > 0; --k) fraction = x + 2 * k - 1 - a - k * (k - a) / fraction;
    return upper ? power / fraction : 1 - power / fraction;
}

}  // namespace table

RICCI_ROW(gammainc, pointwise{
                        .reference = [](real a, real x) { return table::gamma_share(false, a, x); },
                        .args = args(reals(0.3, 20), reals(0.3, 25)),
                        .special = {0.0, 0.5, 1, 3, 40, -1, inf, nan},
                        .ulp = 8,
                    });
RICCI_ROW(gammaincc, pointwise{
                         .reference = [](real a, real x) { return table::gamma_share(true, a, x); },
                         .args = args(reals(0.3, 20), reals(0.3, 25)),
                         .special = {0.0, 0.5, 1, 3, 40, -1, inf, nan},
                         .ulp = 8,
                     });
RICCI_ROW(erfcx, pointwise{
                     .reference =
                         [](real x) {
                             if (x < 9) return std::exp(x * x) * std::erfc(x);
                             real fraction = x;
                             for (real k = 200; k > 0; --k) fraction = x + k / 2 / fraction;
                             return 0.564189583547756286948079451560772586L / fraction;
                         },
                     .args = args(reals(-3, 12)),
                     .special = {0.0, -0.0, 0.4, -0.4, 1e-300, -8, 10, 50, 1e30, inf, -inf, nan},
                     .ulp = 4,
                     .dtypes = types<std::int32_t>{},
                 });

TEST_CASE("incomplete gamma functions: results of SciPy and mpmath") {
    using namespace ricci;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const tensor<double, 1> a{0.001, 0.1, 0.5, 1, 3, 11.5, 13, 30, 100, 1000, 1e6, 2, 50},
        x{0.0001, 2, 0.3, 5, 3, 30, 9, 55, 20, 1010, 998000, 100, 500};
    RICCI_INCOMPLETE_CASES(RICCI_CHECK_CLOSE);
    const tensor<double, 1> sizes{-30, -5, -1, -0.1, 0.2, 0.5, 1, 3, 9.5, 12, 80};
    RICCI_ERFCX_CASES(RICCI_CHECK_CLOSE);
    const auto slope = grad([&](const auto& v) { return sum(gammainc(v, x)); })(a);
    CHECK(allclose(slope, tensor<double, 1> RICCI_GAMMAINC_SLOPES, 1e-12, 1e-300));
    CHECK(all(isnan(gammainc(tensor{calls::not_a_number, 1.0}, tensor{1.0, calls::not_a_number}))).item());
    const auto density = grad([&](const auto& v) { return sum(gammainc(tensor<double, 1>{0.5, 1, 2, 3}, v)); });
    CHECK(reference::values(density(tensor<double, 1>{0, 0, 0, infinity})) == std::vector<double>{infinity, 1, 0, 0});
}

TEST_CASE("incomplete beta, incomplete gamma and zeta functions where they are hard to compute: results of mpmath") {
    using namespace ricci;
    using vector = tensor<double, 1>;
    const auto close = [](const auto& y, const vector& expected) {
        CHECK(allclose(y, expected, 4e-15, 0));
        CHECK(allclose(evaluate(y), expected, 4e-15, 0));
    };
    const vector a RICCI_BETAINC_0, b RICCI_BETAINC_1, x RICCI_BETAINC_2;
    close(betainc(a, b, x), vector RICCI_BETAINC_VALUES);
    close(gammainc(vector RICCI_GAMMAINC_NEAR_0, vector RICCI_GAMMAINC_NEAR_1), vector RICCI_GAMMAINC_NEAR_VALUES);
    close(zeta(vector RICCI_ZETA_0, vector RICCI_ZETA_1), vector RICCI_ZETA_VALUES);
    CHECK(std::isnan(betainc(1e200, 1e200, 0.5)));
    CHECK(betainc(1e59, 9999.0, 0.3) == 0);
}
TEST_CASE("derivatives of the incomplete beta and the zeta function in their parameters: results of mpmath") {
    using namespace ricci;
    using vector = tensor<double, 1>;
    const vector a RICCI_BETAINC_SLOPES_0, b RICCI_BETAINC_SLOPES_1, x RICCI_BETAINC_SLOPES_2;
    const auto share = [&](const auto& u, const auto& v) { return sum(betainc(u, v, x)); };
    const auto in_a = [&](const auto& u) { return share(u, b); };
    CHECK(allclose(grad(in_a)(a), vector RICCI_BETAINC_SLOPES_A, 1e-11, 0));
    CHECK(allclose(grad([&](const auto& v) { return share(a, v); })(b), vector RICCI_BETAINC_SLOPES_B, 1e-11, 0));
    const auto slopes = grad([&](const auto& u) { return sum(grad(in_a)(u)); });
    CHECK(allclose(slopes(a), vector RICCI_BETAINC_SLOPES_AA, 1e-11, 0));
    const auto mixed = [&](const auto& v) {
        return sum(grad([&](const auto& u) { return sum(betainc(u, v, x)); })(a));
    };
    CHECK(allclose(grad(mixed)(b), vector RICCI_BETAINC_SLOPES_AB, 1e-11, 0));
    for (double end : {0.0, 1.0}) CHECK(grad([&](const auto& u) { return betainc(u, 2.0, end); })(3.0) == 0);

    const vector s RICCI_ZETA_SLOPES_0, q RICCI_ZETA_SLOPES_1;
    const auto hurwitz = [&](const auto& u) { return sum(zeta(u, q)); };
    CHECK(allclose(grad(hurwitz)(s), vector RICCI_ZETA_SLOPES_S, 2e-15, 0));
    const auto second = grad([&](const auto& u) { return sum(grad(hurwitz)(u)); });
    CHECK(allclose(second(s), vector RICCI_ZETA_SLOPES_SS, 2e-15, 0));
    CHECK(allclose(grad([&](const auto& u) { return sum(second(u)); })(s), vector RICCI_ZETA_SLOPES_SSS, 2e-15, 0));
    const auto in_s = [](double at) { return grad([at](const auto& u) { return zeta(u, at); }); };
    CHECK(in_s(1e200)(2.0) * 1e200 == doctest::Approx(-1 - 200 * std::log(10)).epsilon(1e-14));
    CHECK(in_s(2)(1.0) == -std::numeric_limits<double>::infinity());
    CHECK(std::isnan(in_s(-0.5)(2.0)));
}
TEST_CASE("derivatives of the incomplete gamma function at the ends of its domain") {
    using namespace ricci;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto at = [](double a) { return [a](const auto& v) { return sum(gammainc(a, v)); }; };
    const auto slope = [&](double a, double x) { return grad(at(a))(x); };
    CHECK(std::isnan(slope(2, -1)));
    CHECK(std::isnan(slope(-1, 2)));
    CHECK(std::isnan(slope(0, 0)));
    CHECK(slope(0, 1) == 0);
    const auto second = [&](double a, double x) { return grad(grad(at(a)))(x); };
    const auto third = [&](double a, double x) { return grad(grad(grad(at(a))))(x); };
    CHECK(second(3, 0) == 0);
    CHECK(second(2, 0) == 1);
    CHECK(second(1, 0) == -1);
    CHECK(second(0.5, 0) == -infinity);
    CHECK(third(3, 0) == 1);
    CHECK(third(2, 0) == -2);
    CHECK(third(1, 0) == 1);
    // P(1/2, x) = erf(sqrt(x)), P(2, x) = 1 - (1 + x) exp(-x)
    const double x = 0.7, density = std::exp(-x) / std::sqrt(x * 3.14159265358979323846);
    CHECK(second(0.5, x) == doctest::Approx(-density * (1 + 0.5 / x)).epsilon(1e-13));
    CHECK(third(0.5, x) == doctest::Approx(density * (1 + 1 / x + 0.75 / (x * x))).epsilon(1e-13));
    CHECK(third(2, x) == doctest::Approx((x - 2) * std::exp(-x)).epsilon(1e-13));
    CHECK(third(-2, x) != third(-2, x));
}
