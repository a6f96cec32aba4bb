// Fits: SciPy's and NIST's values, derivatives, errors.
#include <doctest/doctest.h>
#include <ricci/solvers.hpp>

#include <string>

#include "../transforms/derivatives.hpp"

using namespace derivative_checks;
using optimize::curve_fit;

namespace {

const auto decay = [](auto t, auto p) { return p(0) * exp(-p(1) * t) + p(2); };
const tensor<double, 1> places{0, 1, 2, 3, 4, 5, 6, 7}, data{5.1, 3.4, 2.6, 1.7, 1.4, 1.2, 0.9, 1.0};

}  // namespace

TEST_CASE("curve_fit: SciPy's parameters and covariances") {
    const auto start = ones<double>({3});
    const tensor<double, 1> sigma{.1, .1, .2, .1, .3, .1, .1, .2};
    const auto [p, covariance] = curve_fit(decay, places, data, start);
    check_close(p, tensor{4.344445413953096, 0.4708278833606452, 0.7497871854919642}, 1e-8);
    check_close(100 * covariance,
                100 * tensor<double, 2>{{0.01730204996471228, -0.00169366182360691, -0.00915201721651997},
                                        {-0.00169366182360691, 0.00149888283684031, 0.00367104923222627},
                                        {-0.00915201721651997, 0.00367104923222627, 0.01214265550025935}},
                1e-7);
    const auto weighted = curve_fit(decay, places, data, start, sigma);
    check_close(weighted.x, tensor{4.352695876099729, 0.4855491012040357, 0.7435211499056872}, 1e-8);
    CHECK(weighted.covariance(0, 0).item() == doctest::Approx(0.01075655366876544).epsilon(1e-7));
    const auto absolute = curve_fit(decay, places, data, start, sigma, true);
    CHECK(absolute.covariance(0, 0).item() == doctest::Approx(0.01823233127475292).epsilon(1e-7));
    CHECK(absolute.covariance(1, 2).item() == doctest::Approx(0.00461529956244048).epsilon(1e-7));
}
TEST_CASE("curve_fit: parameters as arguments, from a tuple, and a start in braces") {
    const auto in_braces = curve_fit(decay, places, data, {1.0, 1.0, 1.0});
    const auto by_arguments = [](auto t, auto a, auto b, auto c) { return a * exp(-b * t) + c; };
    const auto [p, covariance] = curve_fit(by_arguments, places, data, ricci::tuple(1.0, 1.0, 1.0));
    CHECK(std::get<1>(p) == doctest::Approx(in_braces.x.at(1)).epsilon(1e-8));
    check_close(covariance, in_braces.covariance, 1e-6);
    const auto of_tuple = [](auto t, auto q) { return std::get<0>(q) * exp(-std::get<1>(q) * t) + std::get<2>(q); };
    const auto whole = curve_fit(of_tuple, places, data, ricci::tuple(1.0, 1.0, 1.0));
    CHECK(std::get<1>(whole.x) == doctest::Approx(in_braces.x.at(1)).epsilon(1e-8));
}
TEST_CASE("curve_fit: Misra1a of NIST's collection, from the far start") {
    const tensor<double, 1> y{10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                              44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
    const tensor<double, 1> x{77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                              378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
    const auto [b, covariance] =
        curve_fit([](auto t, auto p) { return std::get<0>(p) * (1 - exp(-std::get<1>(p) * t)); }, x, y,
                  ricci::tuple(500.0, 0.0001));
    const auto& [b1, b2] = b;
    CHECK(b1.item() == doctest::Approx(2.3894212918E+02).epsilon(1e-8));
    CHECK(b2.item() == doctest::Approx(5.5015643181E-04).epsilon(1e-8));
    CHECK(std::sqrt(covariance(0, 0).item()) == doctest::Approx(2.7070075241E+00).epsilon(1e-7));
    CHECK(std::sqrt(covariance(1, 1).item()) == doctest::Approx(7.2668688436E-06).epsilon(1e-7));
}
TEST_CASE("curve_fit: derivatives, errors") {
    const auto line = [](auto x, auto p) { return p(0) * x + p(1); };
    // linear: the parameters are (X^T X)^-1 X^T y, X^T = [x; 1]
    const auto design = stack({places, ones<double>({8})});
    const auto pseudo = evaluate(matmul(linalg::inv(evaluate(matmul(design, matrix_transpose(design)))), design));
    const auto fit = [=](auto y) { return curve_fit(line, places, y, zeros<double>({2})); };
    check_close(fit(data).x, matmul(pseudo, data), 1e-9);
    check_close(jacrev([=](auto y) { return fit(y).x; })(data), pseudo, 1e-9);
    const auto by_data = grad([=](auto y) { return fit(y).covariance(0, 1); })(data);
    const auto direction = spread({8});
    check_close(dot(by_data, direction),
                difference([=](auto y) { return evaluate(fit(y).covariance(0, 1)); }, std::make_tuple(data),
                           std::make_tuple(direction)),
                1e-9);
    const auto silent = set_vmap_fallback(vmap_fallback::silent);
    const auto many = stack({data, evaluate(2 * data)});
    const auto [both, spreads] = vmap([=](auto y) {
        const auto one = curve_fit(line, places, y, zeros<double>({2}), 0.1, true);
        return ricci::tuple(one.x, one.covariance);
    })(many);
    check_close(both, matmul(many, matrix_transpose(pseudo)), 1e-9);
    check_close(spreads(1), 0.01 * linalg::inv(evaluate(matmul(design, matrix_transpose(design)))), 1e-12);
    set_vmap_fallback(silent);
    CHECK_THROWS_WITH_AS(curve_fit(decay, places, data, ones<double>({3}), 1.0, false, {.max_iterations = 2}),
                         "[curve_fit] no fit was found in 2 iterations: as many iterations as were allowed",
                         convergence_error);
    CHECK_THROWS_WITH_AS(curve_fit(line, places, tensor{1.0, 2.0}, zeros<double>({2})),
                         "[curve_fit] the curve has shape (8,) and the data (2,)", shape_error);
    CHECK_THROWS_WITH_AS(curve_fit(decay, tensor{1.0, 2.0}, tensor{1.0, 2.0}, ones<double>({3})),
                         "[curve_fit] 2 data for 3 parameters", shape_error);
    // a parameter without effect: nothing is known of it
    const auto idle = curve_fit([](auto x, auto p) { return p(0) * x + 0 * p(1); }, places, data, ones<double>({2}));
    CHECK(std::isinf(idle.covariance(1, 1).item()));
}
