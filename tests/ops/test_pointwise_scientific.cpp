// Rows of the test table: classical orthogonal polynomials, the Airy and spherical Bessel functions; their values and
// derivatives by mpmath.
#include <ricci/scientific.hpp>

#include "../golden/scientific.hpp"
#include "close_calls.hpp"
#include "table/table.hpp"

namespace table {

/// By the recurrences of three degrees, of degree 5.
inline real legendre(real x) {
    real before = 1, y = x;
    for (int k = 2; k <= 5; ++k) before = std::exchange(y, ((2 * k - 1) * x * y - (k - 1) * before) / k);
    return y;
}
inline real laguerre(real x) {
    real before = 1, y = 1 - x;
    for (int k = 2; k <= 5; ++k) before = std::exchange(y, ((2 * k - 1 - x) * y - (k - 1) * before) / k);
    return std::abs(x) == real(inf) ? -x : y;
}
inline real hermite(real x) {
    real before = 1, y = 2 * x;
    for (int k = 2; k <= 5; ++k) before = std::exchange(y, 2 * x * y - 2 * (k - 1) * before);
    return std::abs(x) == real(inf) ? x : y;
}
/// The Maclaurin series of Ai.
inline real airy(real x) {
    if (std::abs(x) == real(inf)) return 0;
    real f = 1, g = x, sum = 0.355028053887817239260063186004183176L - 0.258819403792806798405183560189203963L * x;
    for (int k = 1; k < 40; ++k) {
        f *= x * x * x / ((3 * k - 1) * (3 * k));
        g *= x * x * x / ((3 * k) * (3 * k + 1));
        sum += 0.355028053887817239260063186004183176L * f - 0.258819403792806798405183560189203963L * g;
    }
    return sum;
}
/// Of order 2.
inline real spherical_j(real x) {
    if (std::abs(x) == real(inf)) return 0;
    if (std::abs(x) < 0.1L) return x * x / 15 * (1 - x * x / 14 * (1 - x * x / 36 * (1 - x * x / 66)));
    return (3 / (x * x) - 1) * std::sin(x) / x - 3 * std::cos(x) / (x * x);
}
inline real spherical_y(real x) {
    if (std::abs(x) == real(inf)) return x > 0 ? real(0) : -real(0);
    if (x == 0) return -inf;
    return (1 - 3 / (x * x)) * std::cos(x) / x - 3 * std::sin(x) / (x * x);
}

}  // namespace table

RICCI_ROW(legendre_polynomial_p, pointwise{
                                     .reference = table::legendre,
                                     .args = args(reals(1, 4)),
                                     .special = {0.0, 1, -1, 1e-20, 0.25, nan},
                                     .ulp = 8,
                                     .call = [](const auto& x) { return ricci::legendre_polynomial_p(x, 5); },
                                 });
RICCI_ROW(laguerre_polynomial_l, pointwise{
                                     .reference = table::laguerre,
                                     .args = args(reals(-3, 0)),
                                     .special = {0.0, 1, 20, inf, -inf, nan},
                                     .ulp = 8,
                                     .call = [](const auto& x) { return ricci::laguerre_polynomial_l(x, 5); },
                                 });
RICCI_ROW(hermite_polynomial_h, pointwise{
                                    .reference = table::hermite,
                                    .args = args(reals(3, 6)),
                                    .special = {0.0, 1, 1e-20, 20, inf, -inf, nan},
                                    .ulp = 8,
                                    .call = [](const auto& x) { return ricci::hermite_polynomial_h(x, 5); },
                                });
RICCI_ROW(airy_ai, pointwise{
                       .reference = table::airy,
                       .args = args(reals(0.1, 2)),
                       .special = {0.0, -0.0, 1, -1, 2.75, inf, -inf, nan},
                       .ulp = 8,
                   });
RICCI_ROW(spherical_jn, pointwise{
                            .reference = table::spherical_j,
                            .args = args(reals(0.5, 3)),
                            .special = {0.0, -0.0, 1, -1, 1e-5, 7, inf, -inf, nan},
                            .ulp = 8,
                            .call = [](const auto& x) { return ricci::spherical_jn(2, x); },
                        });
RICCI_ROW(spherical_yn, pointwise{
                            .reference = table::spherical_y,
                            .args = args(reals(0.5, 3)),
                            .special = {0.0, 1, -1, 1e-5, 7, inf, -inf, nan},
                            .ulp = 8,
                            .call = [](const auto& x) { return ricci::spherical_yn(2, x); },
                        });
RICCI_ROW(chebyshev_polynomial_t, covered_by{"ops/test_pointwise_scientific.cpp"});
RICCI_ROW(chebyshev_polynomial_u, covered_by{"ops/test_pointwise_scientific.cpp"});
RICCI_ROW(chebyshev_polynomial_v, covered_by{"ops/test_pointwise_scientific.cpp"});
RICCI_ROW(chebyshev_polynomial_w, covered_by{"ops/test_pointwise_scientific.cpp"});
RICCI_ROW(gegenbauer_polynomial_c, covered_by{"ops/test_pointwise_scientific.cpp"});
RICCI_ROW(jacobi_polynomial_p, covered_by{"ops/test_pointwise_scientific.cpp"});
RICCI_ROW(hermite_polynomial_he, covered_by{"ops/test_pointwise_scientific.cpp"});

TEST_CASE("orthogonal polynomials: results of mpmath, derivatives, batches") {
    using namespace ricci;
    const tensor<double, 1> x{-2, -1, -0.99, -0.5, -1e-20, 0, 0.3, 0.499, 0.51, 0.999999, 1, 1.5, 30};
    const auto slope_of_jacobi = [](const auto& x, int n) {
        return vmap(grad([n](auto a) { return jacobi_polynomial_p(a, n, 0.3, -0.4); }))(x);
    };
    const auto curvature_of_laguerre = [](const auto& x, int n) {
        return vmap(grad(grad([n](auto a) { return laguerre_polynomial_l(a, n, 1.5); })))(x);
    };
    const auto curvature_of_hermite = [](const auto& x, int n) {
        return vmap(grad(grad([n](auto a) { return hermite_polynomial_h(a, n); })))(x);
    };
    RICCI_POLYNOMIAL_CASES(RICCI_CHECK_CLOSE);
    CHECK(hermite_polynomial_h(1e200, 4) ==
          std::numeric_limits<double>::infinity());  // of which a term overflows first
    CHECK(legendre_polynomial_p(0.5, 2) == -0.125);
    CHECK(chebyshev_polynomial_t(2, 3) == 26);  // of an integer
}
TEST_CASE("Airy and spherical Bessel functions: results of mpmath, derivatives, batches") {
    using namespace ricci;
    const tensor<double, 1> a{-100, -30, -10.25, -9.75, -5, -0.75, 0, 0.25, 4, 9.75, 10.25, 50, 200},
        s{-3, 0.001953125, 0.25, 1, 2.5, 4.75, 5.25, 12, 30, 59.5, 100};
    const auto ai = [](auto x) { return airy_ai(x); };
    const auto slope_of_airy = vmap(grad(ai));
    const auto curvature_of_airy = vmap(grad(grad(ai)));
    const auto slope_of_spherical_jn = [](int n, const auto& x) {
        return vmap(grad([n](auto y) { return spherical_jn(n, y); }))(x);
    };
    RICCI_BESSEL_CASES(RICCI_CHECK_CLOSE);
    CHECK(array_equal(spherical_yn(40, tensor{1e-9, 0.0}), full(2, -std::numeric_limits<double>::infinity())));
    CHECK(array_equal(spherical_jn(40, tensor{1e-9, 0.0}), zeros(2)));
    CHECK_THROWS_WITH_AS(spherical_jn(-1, s), "[spherical_jn] the order must lie between 0 and 16777216: -1",
                         value_error);
}
TEST_CASE("orthogonal polynomials: refusals") {
    using namespace ricci;
    const auto x = zeros(3);
    CHECK_THROWS_WITH_AS(legendre_polynomial_p(x, -1), "[legendre_polynomial_p] the degree must not be negative: -1",
                         value_error);
    CHECK_THROWS_WITH_AS(jacobi_polynomial_p(x, 2, 0.5, -1), "[jacobi_polynomial_p] a parameter must be above -1: -1",
                         value_error);
    CHECK_THROWS_AS(gegenbauer_polynomial_c(x, 2, -0.5), value_error);
    CHECK_THROWS_AS(laguerre_polynomial_l(x, 2, calls::not_a_number), value_error);
}
