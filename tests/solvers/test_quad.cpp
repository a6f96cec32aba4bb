// Integrals to a tolerance: closed forms, infinite ends, derivatives, batches, errors.
#include <doctest/doctest.h>
#include <ricci/solvers.hpp>

#include <cmath>
#include <limits>
#include <numbers>

#include "../transforms/derivatives.hpp"

using namespace derivative_checks;
using ricci::quad;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr quad_options fine{.rtol = 1e-13, .atol = 1e-14, .limit = 200};
constexpr auto bell = [](auto x) { return exp(-x * x); };

}  // namespace

TEST_CASE("quad: closed forms, between finite and infinite ends") {
    const double root = std::sqrt(std::numbers::pi);
    CHECK(quad([](auto x) { return exp(x); }, 0, 1).item() == doctest::Approx(std::exp(1) - 1).epsilon(1e-14));
    CHECK(quad([](auto x) { return exp(x); }, 1, 0).item() == doctest::Approx(1 - std::exp(1)).epsilon(1e-14));
    CHECK(quad(bell, 2.0, 2.0).item() == 0);
    CHECK(quad(bell, -infinity, infinity, fine).item() == doctest::Approx(root).epsilon(1e-12));
    CHECK(quad(bell, infinity, -infinity, fine).item() == doctest::Approx(-root).epsilon(1e-12));
    CHECK(quad(bell, 0.5, infinity, fine).item() == doctest::Approx(root / 2 * std::erfc(0.5)).epsilon(1e-12));
    CHECK(quad(bell, -infinity, 0.5, fine).item() == doctest::Approx(root / 2 * std::erfc(-0.5)).epsilon(1e-12));
    CHECK(quad(bell, infinity, 0.5, fine).item() == doctest::Approx(-root / 2 * std::erfc(0.5)).epsilon(1e-12));
    CHECK(quad([](auto x) { return cos(50 * x); }, 0, 3, fine).item() ==
          doctest::Approx(std::sin(150) / 50).epsilon(1e-11));
    // a narrow peak, a kink, an infinite slope, and a value that is infinite at an end
    CHECK(quad([](auto x) { return 1 / (square(x - 0.3) + 1e-6); }, 0, 1, fine).item() ==
          doctest::Approx(1e3 * (std::atan(700) + std::atan(300))).epsilon(1e-11));
    CHECK(quad([](auto x) { return abs(x - 0.3); }, 0, 1).item() == doctest::Approx(0.29).epsilon(1e-8));
    CHECK(quad([](auto x) { return sqrt(x); }, 0, 1).item() == doctest::Approx(2.0 / 3).epsilon(1e-8));
    CHECK(quad([](auto x) { return log(x); }, 0, 1).item() == doctest::Approx(-1).epsilon(1e-7));
    // singular at an end, of either sign, and slow decays
    const auto steep = [](auto x) { return 1 / sqrt(abs(x)); };
    for (const double end : {1.0, -1.0}) {
        CHECK(quad(steep, 0, end).item() == doctest::Approx(2 * end).epsilon(1e-9));
        CHECK(quad(steep, end, 0).item() == doctest::Approx(-2 * end).epsilon(1e-9));
        CHECK(quad([](auto x) { return pow(abs(x), -0.9); }, 0, end).item() == doctest::Approx(10 * end).epsilon(1e-7));
        CHECK(quad([](auto x) { return pow(abs(x), -1.5); }, end, end * infinity).item() ==
              doctest::Approx(2 * end).epsilon(1e-9));
        CHECK(quad([](auto x) { return 1 / (1 + pow(abs(x), 1.5)); }, 0, end * infinity).item() ==
              doctest::Approx(end * 4 * std::numbers::pi / (3 * std::numbers::sqrt3)).epsilon(1e-8));
    }
    CHECK(quad([](auto x) { return 1 / (1 + pow(abs(x), 1.5)); }, -infinity, infinity).item() ==
          doctest::Approx(8 * std::numbers::pi / (3 * std::numbers::sqrt3)).epsilon(1e-8));
    CHECK(quad([](auto x) { return exp(-x) / sqrt(x); }, 0, infinity).item() == doctest::Approx(root).epsilon(1e-9));
    CHECK(quad([](auto x) { return 1 / sqrt(2 - x); }, 1, 2).item() == doctest::Approx(2).epsilon(1e-7));
    check_close(quad([](auto x) { return stack(ricci::tuple(sin(x), x, 1e-3 * sqrt(x))); }, 0, std::numbers::pi),
                tensor{2.0, std::numbers::pi * std::numbers::pi / 2, 2e-3 / 3 * std::pow(std::numbers::pi, 1.5)}, 1e-8);
}
TEST_CASE("quad: ends that are arrays, either way") {
    const auto peak = [](auto x) { return 1 / (square(x - 0.1) + 1e-6); };
    const tensor<double, 0> low(0.0), high(1.0);
    const double whole = 1e3 * (std::atan(900) + std::atan(100));
    CHECK(quad(peak, low, high, fine).item() == doctest::Approx(whole).epsilon(1e-11));
    CHECK(quad(peak, high, low, fine).item() == doctest::Approx(-whole).epsilon(1e-11));
    CHECK(quad([](auto x) { return 1 / sqrt(x); }, high, low).item() == doctest::Approx(-2).epsilon(1e-9));
}
TEST_CASE("quad: derivatives in parameters and ends") {
    const auto f = [](auto x, auto s) { return exp(-s * x); };  // (exp(-s a) - exp(-s b)) / s
    const auto integral = [=](auto a, auto b, auto s) { return quad(f, a, b, fine, s); };
    const tensor<double, 0> a(0.2), b(2.0), s(1.3);
    const auto [by_a, by_b, by_s] = grad(integral, argnums<0, 1, 2>)(a, b, s);
    CHECK(by_a.item() == doctest::Approx(-std::exp(-0.26)).epsilon(1e-12));
    CHECK(by_b.item() == doctest::Approx(std::exp(-2.6)).epsilon(1e-12));
    const double exact =
        (2.0 * std::exp(-2.6) - 0.2 * std::exp(-0.26)) / 1.3 - (std::exp(-0.26) - std::exp(-2.6)) / 1.69;
    CHECK(by_s.item() == doctest::Approx(exact).epsilon(1e-12));
    check_close(jacfwd(integral, argnums<2>)(a, b, s), by_s, 1e-12);
    const auto whole = [=](auto r) { return quad(f, 0.0, infinity, fine, r); };  // 1 / r
    CHECK(grad(whole)(s).item() == doctest::Approx(-1 / 1.69).epsilon(1e-11));
    CHECK(grad(grad(whole))(s).item() == doctest::Approx(2 / (1.3 * 1.69)).epsilon(1e-10));
}
TEST_CASE("quad: batches find their own places") {
    const auto silent = set_vmap_fallback(vmap_fallback::silent);
    const tensor<double, 1> s{0.01, 1, 30};
    const auto decay = [](auto x, auto rate) { return exp(-rate * x); };
    const auto whole = [=](auto r) { return quad(decay, 0.0, infinity, fine, r); };
    check_close(vmap(whole)(s), 1 / s, 1e-10);
    check_close(vmap(grad(whole))(s), -1 / square(s), 1e-8);
    set_vmap_fallback(silent);
}
TEST_CASE("quad: errors") {
    CHECK_THROWS_WITH_AS(quad([](auto x) { return 1 / x; }, 0, 1), doctest::Contains("[quad] "), convergence_error);
    CHECK_THROWS_AS(quad([](auto x) { return sin(x); }, 0, infinity), convergence_error);
    CHECK_THROWS_AS(quad([](auto x) { return sqrt(x - 2); }, 0, 1), convergence_error);
    CHECK_THROWS_WITH_AS(quad(bell, 0, std::nan("")), "[quad] the ends of an integral are numbers: 0 and nan",
                         value_error);
    CHECK_THROWS_WITH_AS(quad([](auto x) { return x(slice(1, none)); }, 0, 1),
                         "[quad] the function gives shape (29,) for 30 places", shape_error);
    CHECK_THROWS_WITH_AS(quad(bell, 0, 1, {.limit = 0}), "[quad] the limit must be at least 2: 0", value_error);
}
