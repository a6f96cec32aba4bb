// Rows of the test table: the normal distribution, entropies, the beta function, scaled Bessel functions.
#include "../golden/special.hpp"
#include "close_calls.hpp"
#include "table/table.hpp"

namespace table {

inline real normal_share(real x) { return 0.5L * std::erfc(x * -0.70710678118654752440084436210484904L); }
/// log of the normal distribution function; far out by the continued fraction of Mills' ratio.
inline real log_normal_share(real x) {
    if (x > -1) return std::log1p(-normal_share(-x));
    if (x > -12) return std::log(normal_share(x));
    if (!(x > real(-inf))) return x;
    real fraction = -x;
    for (int k = 200; k > 0; --k) fraction = -x + k / fraction;
    return -x * x / 2 - 0.91893853320467274178032973640561764L - std::log(fraction);
}
/// By Newton's method on the function's logarithm.
inline real normal_quantile(real p) {
    if (p != p || p < 0 || p > 1) return nan;
    if (p == 0 || p == 1) return p == 0 ? real(-inf) : real(inf);
    if (p > 0.5L) return -normal_quantile(1 - p);
    real y = p > 0.1L ? 0 : -std::sqrt(-2 * std::log(p));
    for (int i = 0; i < 60; ++i) {
        const real log = log_normal_share(y),
                   slope = std::exp(-y * y / 2 - 0.91893853320467274178032973640561764L - log);
        y -= (log - std::log(p)) / slope;
    }
    return y;
}
inline real scaled_bessel_i(int n, real x) {
    if (x != x || x == 0) return n == 0 && x == 0 ? real(1) : x;
    const real t = x / 2 * (x / 2);
    if (std::abs(x) > 300) {  // the asymptotic series
        if (std::abs(x) > 1e300L) return n == 1 && x < 0 ? real(-0.0) : real(0);
        real term = 1, sum = 1;
        for (real k = 1; k < 20; ++k) sum += term *= -(4 * n - (2 * k - 1) * (2 * k - 1)) / (k * 8 * std::abs(x));
        return (n == 1 && x < 0 ? -1 : 1) * sum / std::sqrt(2 * 3.141592653589793238462643383279502884L * std::abs(x));
    }
    real term = n == 1 ? x / 2 : 1, sum = 0;
    for (real k = 1; sum + term != sum || k < 3; ++k) {
        sum += term;
        term *= t / (k * (k + real(n)));
    }
    return sum * std::exp(-std::abs(x));
}

}  // namespace table

RICCI_ROW(ndtr, pointwise{
                    .reference = table::normal_share,
                    .args = args(reals(-8, 6)),
                    .special = {0.0, -0.0, 1, -1, 0.5, -0.5, 1e-300, -12, -20, -37, 9, inf, -inf, nan},
                    .ulp = 3,
                    .dtypes = types<std::int32_t>{},
                });
RICCI_ROW(log_ndtr, pointwise{
                        .reference = table::log_normal_share,
                        .args = args(reals(-30, 6)),
                        .special = {0.0, -0.0, 1, -1, 0.5, -0.5, 1e-300, -9.99, -10.01, -13, -19.99, -20.01, -37, -1e4,
                                    8, -inf, nan},
                        .ulp = 4,
                        .dtypes = types<std::int32_t>{},
                    });
RICCI_ROW(ndtri, pointwise{
                     .reference = table::normal_quantile,
                     .args = args(reals(0.03, 0.95)),
                     .special = {0.0, 1, 0.25, 0.5, 0.075, 0.0750001, 0.925, 1e-5, 1e-10, 1e-12, 1e-20, 1e-37, 1e-100,
                                 1e-300, -1, 2, nan},
                     .ulp = 8,
                 });
RICCI_ROW(entr, pointwise{
                    .reference = [](real x) { return x > 0   ? -x * std::log(x)
                                                     : x < 0 ? real(-inf)
                                                             : x; },
                    .args = args(reals(0.05, 3)),
                    .special = {0.0, -0.0, 1, -1, 1e-300, nan},
                    .ulp = 3,
                    .dtypes = types<std::int32_t>{},
                    .signed_zeros = false,
                });
RICCI_ROW(rel_entr, pointwise{
                        .reference =
                            [](real a, real b) {
                                if (a != a || b != b) return real(nan);
                                if (!(a > 0 && b > 0)) return a == 0 && b >= 0 ? real(0) : real(inf);
                                return a * (a < 2 * b && b < 2 * a ? std::log1p((a - b) / b) : std::log(a / b));
                            },
                        .args = args(reals(0.1, 4), reals(0.1, 4)),
                        .special = {0.0, 1, -1, 1.0000001, 1e-300, 1e30, nan},
                        .ulp = 4,
                        .signed_zeros = false,
                    });
RICCI_ROW(xlog1py, pointwise{
                       .reference = [](real a, real b) { return a == 0 && b == b ? real(0) : a * std::log1p(b); },
                       .args = args(reals(-5, 5), reals(-0.9, 5)),
                       .special = {0.0, 1, -1, inf, nan},
                       .ulp = 3,
                       .dtypes = types<std::int32_t>{},
                       .signed_zeros = false,
                   });
RICCI_ROW(betaln, pointwise{
                      .reference = [](real a, real b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); },
                      .args = args(reals(2, 30), reals(2, 30)),
                      .special = {3, 9, 10, 11, 100},
                      .ulp = 16,  // of terms that are several times as large
                  });
RICCI_ROW(i0e, pointwise{
                   .reference = [](real x) { return table::scaled_bessel_i(0, x); },
                   .args = args(reals(-20, 20)),
                   .special = {0.0, -0.0, 1, -1, 1e-300, 7.9999, 8, 8.0001, 15.5, 80, 700, -1e6, inf, -inf, nan},
                   .ulp = 4,
                   .dtypes = types<std::int32_t>{},
               });
RICCI_ROW(i1e, pointwise{
                   .reference = [](real x) { return table::scaled_bessel_i(1, x); },
                   .args = args(reals(-20, 20)),
                   .special = {0.0, -0.0, 1, -1, 1e-3, 7.9999, -8, 8.0001, 15.5, 80, 700, -1e6, inf, -inf, nan},
                   .ulp = 4,
                   .dtypes = types<std::int32_t>{},
               });

TEST_CASE("special functions: results of SciPy") {
    using namespace ricci;
    using calls::not_a_number;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const tensor<double, 1> x{-40, -20, -5, -1, -0.3, 0, 0.3, 1, 5, 9},
        p{0, 1e-300, 1e-20, 0.01, 0.3, 0.5, 0.6, 0.99, 1, 2};
    const tensor<double, 1> a{0.5, 1, 2, 3, 20, 1e6, 1e-5, 0.1, 1e8, 11},
        b{0.5, 7, 1e6, 9.5, 30, 0.5, 1e5, 10, 1e8, 1e3};
    RICCI_SPECIAL_CASES(RICCI_CHECK_CLOSE);
    const tensor<double, 1> ends{0, 0, infinity, -0.5, 1e300, -0.5, -1},
        others{0, infinity, 1, 2, 1e300, infinity, infinity};
    const tensor<double, 1> expected{infinity, infinity, -infinity, 1.3862943611198906, -1.3862943611198906e300,
                                     infinity, infinity};
    CHECK(allclose(betaln(ends, others), expected, 1e-14, 0));
    CHECK(allclose(betaln(others, ends), expected, 1e-14, 0));
    CHECK(all(isnan(betaln(tensor{not_a_number, 0.0, not_a_number}, tensor{1, 0, 0} * not_a_number))).item());
}
