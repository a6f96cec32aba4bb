// Solutions of differential equations: closed forms and SciPy's values, structures, errors.
#include <ricci/solvers.hpp>

#include <doctest/doctest.h>

#include "../transforms/derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto decay = [](auto y, auto, auto rate) { return -rate * y; };
const auto van_der_pol = [](auto y, auto, auto mu) {
    return stack(ricci::tuple(y(1), mu * (1 - square(y(0))) * y(1) - y(0)));
};
constexpr ode_options fine{.rtol = 1e-12, .atol = 1e-13};

}  // namespace

TEST_CASE("odeint: values at the times, forward, backward and twice") {
    const tensor<double, 1> t{0, 0.1, 0.5, 0.5, 2, 3}, y0{1, 2};
    const auto exact = [&](const auto& at) { return evaluate(exp(-0.7 * at)(all, newaxis) * y0); };
    check_close(odeint(decay, y0, t, {}, 0.7), exact(t), 1e-7);
    check_close(odeint(decay, y0, t, fine, 0.7), exact(t), 1e-11);
    check_close(odeint(decay, y0, -t, fine, 0.7), exact(evaluate(-t)), 1e-11);
    check_close(odeint(decay, y0, arange(3), fine, 0.7), exact(arange(3)), 1e-11);
    check_close(odeint(decay, y0, tensor<double, 1>{4}, {}, 0.7), y0(newaxis, all));
    check_close(odeint(decay, y0, tensor<double, 1>{4, 4}, {}, 0.7), stack({y0, y0}));
    // a long step, with values between
    const auto straight = odeint([](auto y, auto) { return 0 * y + 3.0; }, 1.0, linspace(0, 1e6, 7));
    check_close(straight, 1 + 3 * linspace(0, 1e6, 7), 1e-12);
    const auto quartic = odeint([](auto y, auto at) { return 4 * at * at * at + 0 * y; }, 0.0, linspace(0, 1, 9), fine);
    check_close(quartic, pow(linspace(0, 1, 9), 4), 1e-12);
}
TEST_CASE("odeint: the equation of van der Pol, by SciPy's DOP853 at its least tolerance") {
    const tensor<double, 1> t{0, 0.5, 2, 4, 6};
    const auto y = odeint(van_der_pol, tensor<double, 1>{2, 0}, t, fine, 1.0);
    check_close(y,
                tensor<double, 2>{{2, 0},
                                  {1.8377192082441252, -0.5345234499493454},
                                  {0.32331666704616446, -1.8329745679858116},
                                  {-1.7417683243609232, 0.6246661636773749},
                                  {1.2790420291090465, 2.4378144496373437}},
                1e-10);
    check_close(odeint(van_der_pol, tensor<float, 1>{2, 0}, t, {.rtol = 1e-5, .atol = 1e-6}, 1.0), y, 1e-3);
    static_assert(std::is_same_v<decltype(odeint(van_der_pol, tensor<float, 1>{2, 0}, t, {}, 1.0))::value_type, float>);
}
TEST_CASE("odeint: a structure of arrays and numbers") {
    const auto oscillator = [](auto state, auto, auto p) {
        const auto& [x, v] = state;
        return ricci::tuple(v, -std::get<0>(p) * x);
    };
    const auto t = linspace(0, 10, 101);
    const auto [x, v] = odeint(oscillator, ricci::tuple(ones<double>({2, 3}), zeros<double>({2, 3})), t, fine,
                               ricci::tuple(tensor<double, 0>(4.0), tensor<double, 0>(1.0)));
    REQUIRE(x.shape() == shape<3>{101, 2, 3});
    check_close(x(all, 1, 2), cos(2 * t), 1e-10);
    check_close(v(all, 0, 1), -2 * sin(2 * t), 1e-10);
}
TEST_CASE("odeint: complex states, alone and beside real ones") {
    using complex_t = std::complex<double>;
    const complex_t i(0, 1);
    const auto t = linspace(0, 2, 9);
    const tensor<complex_t, 1> y0{{1, 0}, {0.5, 2}};
    const auto turn = [=](auto y, auto, auto w) { return i * w * y; };
    check_close(odeint(turn, y0, t, fine, 3.0), exp(3.0 * i * t)(all, newaxis) * y0, 1e-10);
    check_close(odeint([=](auto y, auto) { return i * y; }, i, t, fine), i * exp(i * t), 1e-10);
    const auto single = odeint(turn, astype<std::complex<float>>(y0), astype<float>(t), {.rtol = 1e-5}, 3.0);
    static_assert(std::is_same_v<decltype(single)::value_type, std::complex<float>>);
    check_close(single, exp(3.0 * i * t)(all, newaxis) * y0, 1e-3);
    const auto [z, x] = odeint(
        [=](auto state, auto) {
            const auto& [z, x] = state;
            return ricci::tuple(i * x * z, -x);
        },
        ricci::tuple(y0, 2.0), t, fine);
    static_assert(std::is_same_v<decltype(x)::value_type, double>);
    check_close(x, 2 * exp(-t), 1e-10);
    check_close(z, exp(2.0 * i * (1 - exp(-t)))(all, newaxis) * y0, 1e-10);
}
TEST_CASE("odeint: errors") {
    const auto square_of = [](auto y, auto) { return y * y; };  // 1 / (1 - t)
    const tensor<double, 1> t{0, 0.5, 2};
    CHECK_THROWS_AS(odeint(square_of, 1.0, t), convergence_error);
    CHECK_THROWS_WITH_AS(odeint(square_of, 1.0, t, {.max_steps = 4}), doctest::Contains("[odeint] 4 steps reached"),
                         convergence_error);
    CHECK_THROWS_WITH_AS(odeint([](auto y, auto) { return sqrt(-1 - y); }, 1.0, t),
                         doctest::Contains("[odeint] at 0 no step is short enough for the tolerances"),
                         convergence_error);
    CHECK_THROWS_WITH_AS(odeint(square_of, 1.0, tensor<double, 1>{0, 2, 1}),
                         "[odeint] times must ascend, or descend: 2 comes before 1", value_error);
    CHECK_THROWS_WITH_AS(odeint(square_of, 1.0, tensor<double, 1>{}),
                         "[odeint] the times begin with that of y0: there are none", value_error);
    CHECK_THROWS_WITH_AS(odeint([](auto y, auto) { return y(slice(1, none)); }, ones<double>({3}), t),
                         "[odeint] the derivative has 2 elements and the state 3", shape_error);
}
