// Rows of the test table: Bessel functions of the first and the second kind.
#include "table/table.hpp"

// Where no value is near a zero, so that relative errors are bounded; the test below meets zeros.
RICCI_ROW(j0, pointwise{
                  .reference = [](real x) { return x != x               ? x
                                                   : x * x == real(inf) ? real(0)
                                                                        : ::j0l(x); },
                  .args = args(reals(-2, 2)),
                  .special = {0.0, -0.0, 1, -1, 4.9999, 5, 5.0001, 1e-300, inf, -inf, nan},
                  .ulp = 6,
                  .dtypes = types<std::int32_t>{},
              });
RICCI_ROW(j1, pointwise{
                  .reference = [](real x) { return x != x               ? x
                                                   : x * x == real(inf) ? 1 / x
                                                                        : ::j1l(x); },
                  .args = args(reals(-3, 3)),
                  .special = {0.0, -0.0, 1, -1, 4.9999, 5, 5.0001, 1e-300, inf, -inf, nan},
                  .ulp = 6,
              });
RICCI_ROW(y0, pointwise{
                  .reference = [](real x) { return x < 0            ? real(nan)
                                                   : x == real(inf) ? real(0)
                                                                    : ::y0l(x); },
                  .args = args(reals(1.2, 3.4)),
                  .special = {0.0, -0.0, 1.5, -1, 1e-3, 4.9999, 5, 5.0001, inf, -inf, nan},
                  .ulp = 12,
              });
RICCI_ROW(y1, pointwise{
                  .reference = [](real x) { return x < 0            ? real(nan)
                                                   : x == real(inf) ? real(0)
                                                                    : ::y1l(x); },
                  .args = args(reals(0.1, 1.9)),
                  .special = {0.0, -0.0, 1, -1, 1e-3, 4.9999, 5.0001, inf, -inf, nan},
                  .ulp = 24,  // near 5 relative to values that are small there
              });

TEST_CASE("Bessel functions beside their zeros: errors relative to the larger of their size and 1 / sqrt(x)") {
    using namespace ricci;
    const auto x = tensor<double, 1>(linspace(0.01, 300.0, 20011));
    const auto check = [&](const auto& y, auto reference) {
        double worst = 0;
        for (index_t i = 0; i < x.size(); ++i) {
            const table::real at = x.data()[i], truth = reference(at);
            const table::real scale = std::fmax(std::abs(truth), 1 / std::sqrt(std::fmax(at, 1)));
            worst = std::fmax(worst, static_cast<double>(std::abs(y.data()[i] - truth) / scale));
        }
        CHECK(worst < 9e-16);
    };
    check(evaluate(j0(x)), [](table::real v) { return ::j0l(v); });
    check(evaluate(j1(x)), [](table::real v) { return ::j1l(v); });
    check(evaluate(y0(x)), [](table::real v) { return ::y0l(v); });
    check(evaluate(y1(x)), [](table::real v) { return ::y1l(v); });
}
TEST_CASE("derivatives of Bessel functions: at 0, of the third order") {
    using namespace ricci;
    const auto first = [](const auto& x) { return j1(x); };
    CHECK(grad(first)(0.0) == 0.5);
    CHECK(grad(grad(first))(0.0) == 0);
    CHECK(grad(grad(grad(first)))(0.0) == doctest::Approx(-0.375).epsilon(1e-15));
    CHECK(grad([](const auto& x) { return y0(x); })(0.0) == table::inf);
    CHECK(grad([](const auto& x) { return y1(x); })(0.0) == table::inf);
    // x^2 f'' + x f' + (x^2 - n^2) f = 0, differentiated
    const double x = 3.25;
    const auto slopes = [x](const auto& f, double order) {
        const double y = f(x), d1 = grad(f)(x), d2 = grad(grad(f))(x), d3 = grad(grad(grad(f)))(x);
        CHECK(x * x * d3 + 3 * x * d2 + (x * x - order * order + 1) * d1 + 2 * x * y ==
              doctest::Approx(0).epsilon(1e-13));
    };
    slopes([](const auto& v) { return j0(v); }, 0);
    slopes([](const auto& v) { return j1(v); }, 1);
    slopes([](const auto& v) { return y0(v); }, 0);
    slopes([](const auto& v) { return y1(v); }, 1);
}
