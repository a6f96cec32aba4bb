// Duals and Taylor series as the scalars of plain generic C++ code.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <cmath>
#include <complex>
#include <limits>
#include <sstream>

using namespace ricci;
using doctest::Approx;

namespace {

using complex_number = std::complex<double>;
using twice = dual<dual<double>>;

constexpr double tolerance = 1e-13;  // a few dozen roundings, amplified by factorials and cancellation

template <class T>
T textbook(T x) {
    using std::pow;
    using std::sin;
    return sin(x) * x + 2 / x - pow(x, 3);
}
/// As users write it: branches, loops, compound assignments.
template <class T>
T loops(T x) {
    T sum = 0;
    T power = 1.0;
    for (int i = 0; i < 4; ++i) {
        power *= x;
        if (power > 0.5) sum += power;
        else sum -= power / 2;
    }
    sum /= 4;
    return -sum;
}

/// The first and second derivative of f at x.
template <class F>
void check_derivatives(const F& f, double x, double value, double first, double second) {
    CAPTURE(x);
    const auto [y, slope] = derivative(f, x);
    CHECK(y == Approx(value).epsilon(tolerance));
    CHECK(slope == Approx(first).epsilon(tolerance));
    const auto nested = f(twice(dual<double>(x, 1), dual<double>(1, 0)));
    CHECK(nested.value.tangent == Approx(first).epsilon(tolerance));
    CHECK(nested.tangent.tangent == Approx(second).epsilon(tolerance));
    const auto all = derivatives<2>(f, x);
    CHECK(all[0] == Approx(value).epsilon(tolerance));
    CHECK(all[1] == Approx(first).epsilon(tolerance));
    CHECK(all[2] == Approx(second).epsilon(tolerance));
}

void check_complex(const complex_number& a, const complex_number& b) {
    CHECK(std::abs(a - b) <= tolerance * (1 + std::abs(b)));
}

/// The complex derivative of an analytic function.
template <class F>
void check_analytic(const F& f, complex_number z, complex_number value, complex_number first) {
    const auto [y, slope] = derivative(f, z);
    check_complex(y, value);
    check_complex(slope, first);
    check_complex(derivatives<1>(f, z)[1], first);
}

}  // namespace

TEST_CASE("scalars: generic code at duals of duals") {
    const double x = 1.5, s = std::sin(x), c = std::cos(x);
    check_derivatives([](auto t) { return textbook(t); }, x, s * x + 2 / x - x * x * x,
                      c * x + s - 2 / (x * x) - 3 * x * x, 2 * c - s * x + 4 / (x * x * x) - 6 * x);
    CHECK(textbook(x) == Approx(s * x + 2 / x - x * x * x));
    // 0.9, 0.81, 0.729, 0.6561 are all above 1/2
    check_derivatives([](auto t) { return loops(t); }, 0.9, -(0.9 + 0.81 + 0.729 + 0.6561) / 4,
                      -(1 + 1.8 + 2.43 + 2.916) / 4, -(2 + 5.4 + 9.72) / 4);
    // 0.6 is above, 0.36, 0.216, 0.1296 below: their halves are subtracted
    check_derivatives([](auto t) { return loops(t); }, 0.6, -(0.6 - (0.36 + 0.216 + 0.1296) / 2) / 4,
                      -(1 - (1.2 + 1.08 + 0.864) / 2) / 4, (2 + 3.6 + 4.32) / 8);
}

TEST_CASE("scalars: functions found by their arguments") {
    const double x = 0.7, e = std::exp(x), t = std::tanh(x);
    check_derivatives([](auto a) { return exp(a) + log(a); }, x, e + std::log(x), e + 1 / x, e - 1 / (x * x));
    check_derivatives([](auto a) { return sqrt(a) - cos(a); }, x, std::sqrt(x) - std::cos(x),
                      0.5 / std::sqrt(x) + std::sin(x), -0.25 / (x * std::sqrt(x)) + std::cos(x));
    check_derivatives([](auto a) { return tanh(a) * 2.0f; }, x, 2 * t, 2 * (1 - t * t), -4 * t * (1 - t * t));
    check_derivatives([](auto a) { return atan(a) + square(a); }, x, std::atan(x) + x * x, 1 / (1 + x * x) + 2 * x,
                      -2 * x / ((1 + x * x) * (1 + x * x)) + 2);
    check_derivatives([](auto a) { return abs(-a * a) - abs(a); }, x, x * x - x, 2 * x - 1, 2);
    check_derivatives([](auto a) { return where(a > 1, a, a * a) + clip(a, 0, 1) * negative(a); }, x, 0, 0, 0);
    check_derivatives([](auto a) { return maximum(a, 0.5) * minimum(a, a * a); }, x, x * x * x, 3 * x * x, 6 * x);
    CHECK(derivative([](auto) { return 3.0; }, x) == std::pair(3.0, 0.0));
    CHECK(derivatives<2>([](auto) { return 3.0; }, x) == std::array{3.0, 0.0, 0.0});
}

TEST_CASE("scalars: powers") {
    const double x = 1.3, l = std::log(x), p = std::pow(x, 2.5), q = std::pow(2, x), r = std::pow(x, x);
    check_derivatives([](auto a) { return pow(a, 2.5); }, x, p, 2.5 * p / x, 3.75 * p / (x * x));
    check_derivatives([](auto a) { return pow(a, -2); }, x, 1 / (x * x), -2 / (x * x * x), 6 / (x * x * x * x));
    check_derivatives([](auto a) { return pow(2, a); }, x, q, q * std::log(2), q * std::log(2) * std::log(2));
    check_derivatives([](auto a) { return pow(a, a); }, x, r, r * (l + 1), r * ((l + 1) * (l + 1) + 1 / x));
    // whole exponents at zero and below it
    check_derivatives([](auto a) { return pow(a, 2); }, 0.0, 0, 0, 2);
    check_derivatives([](auto a) { return pow(a, 3); }, -2.0, -8, 12, -12);
    const auto cube = derivatives<5>([](auto a) { return pow(a, 3); }, 0.0);
    CHECK(cube[2] == 0);
    CHECK(cube[3] == 6);
    CHECK(cube[4] == 0);
    CHECK(cube[5] == 0);
    CHECK(derivatives<3>([](auto a) { return pow(a, 2.5); }, 0.0)[2] == 0);
    CHECK(std::isinf(derivatives<3>([](auto a) { return pow(a, 2.5); }, 0.0)[3]));
}

TEST_CASE("scalars: kinks") {
    const auto slope = [](auto f, double x) { return derivative(f, x).second; };
    CHECK(slope([](auto a) { return abs(a); }, 0) == 0);
    CHECK(slope([](auto a) { return abs(a); }, -1) == -1);
    CHECK(slope([](auto a) { return maximum(a, 1.0); }, 1) == 0.5);  // ties share
    CHECK(slope([](auto a) { return minimum(3.0 * a, a + 2); }, 1) == 2);
    CHECK(derivatives<2>([](auto a) { return maximum(a, a * a); }, 1.0)[1] == 1.5);
    CHECK(derivatives<1>([](auto a) { return abs(a); }, 0.0)[1] == 0);
}

TEST_CASE("scalars: numbers on either side, weak as beside arrays") {
    const dual<float> x(2.0f, 1.0f);
    const dual<float> y = 2.0 * x - 1 + x / 4 - (1u - x);
    CHECK(y.value == 4.5f);
    CHECK(y.tangent == 3.25f);
    static_assert(std::is_same_v<decltype(pow(x, 3)), dual<float>>);
    static_assert(std::is_same_v<decltype(x < 3), bool>);
    CHECK((x == 2 && 1 < x && x >= 2.0f && x != dual<float>(3.0f, 1.0f)));
    const taylor<float, 2> t = 1 / taylor<float, 2>::variable(2.0f);
    CHECK(t[2] == 0.125f);
    CHECK(derivative([](auto a) { return a * a; }, 3).second == 6.0);  // an integer is taken as a double
}

TEST_CASE("scalars: complex derivatives of analytic functions") {
    const complex_number z(0.6, -0.8);
    const complex_number i(0, 1), e = std::exp(2.0 * z), l = std::log(z), r = std::sqrt(z), t = std::tanh(z);
    check_analytic([](auto a) { return textbook(a); }, z, std::sin(z) * z + 2.0 / z - z * z * z,
                   std::cos(z) * z + std::sin(z) - 2.0 / (z * z) - 3.0 * z * z);
    check_analytic([](auto a) { return exp(2 * a) / (1 + a); }, z, e / (1.0 + z),
                   e * (2.0 / (1.0 + z) - 1.0 / ((1.0 + z) * (1.0 + z))));
    check_analytic([](auto a) { return log(a) * sqrt(a); }, z, l * r, 1.0 / r + l / (2.0 * r));
    check_analytic([i](auto a) { return tanh(a) - cos(a) * i; }, z, t - i * std::cos(z), 1.0 - t * t + i * std::sin(z));
    check_analytic([](auto a) { return atan(a) + square(a); }, z, std::atan(z) + z * z, 1.0 / (1.0 + z * z) + 2.0 * z);
    check_analytic([](auto a) { return pow(a, a); }, z, std::pow(z, z), std::pow(z, z) * (l + 1.0));
    const auto [y, slope] = derivative([](auto a) { return derivative([](auto b) { return sin(b); }, a).second; }, z);
    check_complex(y, std::cos(z));
    check_complex(slope, -std::sin(z));
}

TEST_CASE("scalars: a captured dual is a constant of the inner derivative") {
    // d/dx x * (d/dy (x + y) at 1) at 1 is 1; d/dx x * (d/dy x y) = 2 x
    const auto outer = [](auto x) { return x * derivative([&](auto y) { return x + y; }, x * 0 + 1).second; };
    CHECK(derivative(outer, 1.0).second == 1);
    const auto product = [](auto x) { return x * derivative([&](auto y) { return x * y; }, x * 0 + 5).second; };
    CHECK(derivative(product, 3.0).second == 6);
    CHECK(derivatives<2>(product, 3.0)[2] == 2);
    const auto series = [](auto x) { return derivatives<2>([&](auto y) { return x * y * y; }, x * 0 + 5)[2]; };
    CHECK(derivative(series, 3.0).second == 2);  // 2 x
    CHECK(derivatives<1>(series, 3.0)[1] == 2);
}

TEST_CASE("scalars: what generic code asks of numbers") {
    CHECK(std::numeric_limits<dual<double>>::is_specialized);
    CHECK(dual<double>(std::numeric_limits<twice>::epsilon()).value == std::numeric_limits<double>::epsilon());
    CHECK(std::numeric_limits<taylor<float, 2>>::max() == std::numeric_limits<float>::max());
    std::ostringstream text;
    text << dual<double>(2.5, 1) << ' ' << twice({1, 2}, {3, 4});
    CHECK(text.str() == "dual(2.5, 1) dual(dual(1, 2), dual(3, 4))");
}
