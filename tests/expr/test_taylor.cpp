// Truncated Taylor series as scalars: known series, and compositions against mpmath.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <cmath>

using namespace ricci;

namespace {

using series = taylor<double, 6>;

/// Coefficients that differ by rounding: relative to each, or to 1 where it vanishes.
void check_series(const series& actual, const double (&expected)[7], double tolerance = 2e-14) {
    for (int k = 0; k <= 6; ++k) {
        CAPTURE(k);
        CHECK(std::fabs(actual[k] - expected[k]) <= tolerance * std::fmax(std::fabs(expected[k]), 1e-2));
    }
}

}  // namespace

TEST_CASE("taylor: series around zero") {
    const auto x = series::variable(0);
    check_series(exp(x), {1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720});
    check_series(sin(x), {0, 1, 0, -1.0 / 6, 0, 1.0 / 120, 0});
    check_series(cos(x), {1, 0, -1.0 / 2, 0, 1.0 / 24, 0, -1.0 / 720});
    check_series(tanh(x), {0, 1, 0, -1.0 / 3, 0, 2.0 / 15, 0});
    check_series(atan(x), {0, 1, 0, -1.0 / 3, 0, 1.0 / 5, 0});
    check_series(1 / (1 - x), {1, 1, 1, 1, 1, 1, 1});
    check_series(log(1 + x), {0, 1, -1.0 / 2, 1.0 / 3, -1.0 / 4, 1.0 / 5, -1.0 / 6});
    check_series(sqrt(1 + x), {1, 0.5, -0.125, 0.0625, -5.0 / 128, 7.0 / 256, -21.0 / 1024});
    check_series(pow(1 + x, -0.5), {1, -0.5, 0.375, -0.3125, 35.0 / 128, -63.0 / 256, 231.0 / 1024});
    check_series(pow(1 + x, 3), {1, 3, 3, 1, 0, 0, 0});
    check_series(pow(x, 2), {0, 0, 1, 0, 0, 0, 0});
    check_series(square(x + 2), {4, 4, 1, 0, 0, 0, 0});
}

TEST_CASE("taylor: compositions") {
    const auto x = series::variable(0.5);
    // mpmath.taylor(f, 0.5, 6) at 60 digits; the tolerance allows for what cancels in a coefficient
    check_series(exp(sin(x)), {1.6151462964420837, 1.4174242246593912, 0.23478219963286702, -0.39407357347586691,
                               -0.23782225150738892, 0.0099034927516124461, 0.059960322468661219});
    check_series(tanh(x * x) + atan(2 * x),
                 {1.0303168258011574, 1.940014848806378, -0.29021233060290501, -0.050739042257458229,
                  -0.86140665561885155, -0.93982499485281406, 2.2066937193825051});
    check_series(sqrt(1 + exp(-x)) / x,
                 {2.5349798103437695, -5.5484886071810304, 11.291075669208794, -22.625266139272075, 45.254901321072541,
                  -90.50966442195494, 181.01931838320539});
    check_series(pow(x, cos(x)), {0.54427868294011, 1.1361695501696244, -0.12577623395393464, -0.62504550140010114,
                                  -0.21402518125392337, 0.31995773245451948, 0.069248784767219119});
    check_series(log(2 + x) * pow(1 + x * x, 1.5),
                 {1.2805552272647775, 2.0956832670926804, 2.403016521636227, 1.2743233747645544, 0.31296881773785889,
                  -0.0078386796359545921, -0.038071125201602375});
}

TEST_CASE("taylor: of an even function no odd terms; of a polynomial none above its degree") {
    const auto x = series::variable(0);
    const auto even = exp(-x * x) / (1 + cos(x));
    CHECK(even[1] == 0);
    CHECK(even[3] == 0);
    CHECK(even[5] == 0);
    const auto polynomial = (x - 1) * (x + 2) * x;
    CHECK(polynomial[1] == -2);
    CHECK(polynomial[2] == 1);
    CHECK(polynomial[3] == 1);
    CHECK(polynomial[4] == 0);
}

TEST_CASE("taylor: selection goes by the value") {
    const auto x = series::variable(-0.25);
    check_series(abs(x), {0.25, -1, 0, 0, 0, 0, 0});
    check_series(maximum(x, x * x), {0.0625, -0.5, 1, 0, 0, 0, 0});
    check_series(minimum(x, x * x), {-0.25, 1, 0, 0, 0, 0, 0});
    check_series(clip(x * x, 0.1, 1), {0.1, 0, 0, 0, 0, 0, 0});
    check_series(where(x < 0, x, 1 / (x + 0.25)), {-0.25, 1, 0, 0, 0, 0, 0});  // the other branch is infinite
    CHECK((x < 0 && x == -0.25 && !(x > x * x) && 1 > x));
}

TEST_CASE("taylor: nested in and around duals") {
    // d/da of the coefficients of exp(a t) around t = 0 is k a^(k-1) / k!
    using inner = taylor<dual<double>, 3>;
    const dual<double> a(2, 1);
    auto t = inner::variable(dual<double>(0));
    const inner y = exp(a * t);
    CHECK(y[2].value == doctest::Approx(2));
    CHECK(y[3].tangent == doctest::Approx(2));  // 3 a^2 / 6
    using outer = dual<taylor<double, 3>>;
    const outer z = sin(outer(taylor<double, 3>::variable(0.5), 1));  // the tangent is the series of the cosine
    CHECK(z.tangent[3] == doctest::Approx(std::sin(0.5) / 6).epsilon(1e-14));
    // a series in two variables: the mixed derivative of s t^2 exp(s) at (0, 1)
    using both = taylor<taylor<double, 2>, 3>;
    const auto s = both(taylor<double, 2>::variable(0));
    const auto u = both::variable(taylor<double, 2>(1.0));
    const both w = s * u * u * exp(s);
    CHECK(w[1][1] == 2);
    CHECK(w[2][2] == 1);
    CHECK(w[3][2] == 0);
}

TEST_CASE("taylor: derivatives of functions of one number") {
    const auto d = derivatives<6>([](auto x) { return exp(2 * x); }, 0.0);
    for (int k = 0; k <= 6; ++k) CHECK(d[static_cast<std::size_t>(k)] == doctest::Approx(1 << k).epsilon(1e-14));
    const auto highest = derivatives<15>([](auto x) { return 1 / (1 - x); }, 0.0);
    CHECK(highest[15] == 1307674368000.0);  // 15!
}
