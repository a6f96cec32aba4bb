// Derivatives of solutions of differential equations, and batches of them.
#include <ricci/solvers.hpp>

#include <doctest/doctest.h>

#include "../transforms/derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto decay = [](auto y, auto, auto rate) { return -rate * y; };
constexpr ode_options fine{.rtol = 1e-12, .atol = 1e-13};

}  // namespace

TEST_CASE("odeint: derivatives in the first state, the times and the parameters") {
    const tensor<double, 1> t{0.3, 0.4, 1.5}, y0{1, 2};
    const tensor<double, 0> rate(0.7);
    const auto f = [](auto start, auto times, auto r) { return odeint(decay, start, times, fine, r); };
    const auto value = evaluate(exp(-0.7 * (t - 0.3))(all, newaxis) * y0);
    const auto [by_y, by_t, by_rate] = jacrev(f, argnums<0, 1, 2>)(y0, t, rate);
    check_close(by_rate, -(t - 0.3)(all, newaxis) * value, 1e-10);
    check_close(by_y, exp(-0.7 * (t - 0.3))(all, newaxis, newaxis) * eye<double>(2), 1e-10);
    auto of_t = evaluate(zeros<double>({3, 2, 3}));
    for (index_t i = 1; i < 3; ++i) {
        of_t(i, all, i) = -0.7 * value(i);
        of_t(i, all, 0) = 0.7 * value(i);
    }
    check_close(by_t, of_t, 1e-10);
    const auto [y_forward, t_forward, rate_forward] = jacfwd(f, argnums<0, 1, 2>)(y0, t, rate);
    check_close(y_forward, by_y, 1e-10);
    check_close(t_forward, by_t, 1e-10);
    check_close(rate_forward, by_rate, 1e-10);
    check_close(jacfwd(jacrev([=](auto r) { return f(y0, t, r); }))(rate), square(t - 0.3)(all, newaxis) * value, 1e-9);
}
TEST_CASE("odeint: derivatives of nonlinear equations and structures of parameters against differences") {
    const auto f = [](auto y0, auto mu) {
        const auto states = odeint(
            [](auto y, auto t, auto p, int) {
                return stack(
                    ricci::tuple(y(1), std::get<0>(p) * (1 - square(y(0))) * y(1) - std::get<1>(p) * y(0) + sin(t)));
            },
            y0, tensor<double, 1>{0, 1, 2.5}, fine, ricci::tuple(mu, 2 * mu), 3);
        return evaluate(sum(square(states(1))) + states(2, 0));
    };
    const tensor<double, 1> y0{2, 0.5};
    const tensor<double, 0> mu(0.8);
    const auto [by_y, by_mu] = grad(f, argnums<0, 1>)(y0, mu);
    for (index_t i = 0; i < 2; ++i) {
        const tensor<double, 1> unit = eye<double>(2)(i);
        check_close(by_y(i), difference([&](auto y) { return f(y, mu); }, std::make_tuple(y0), std::make_tuple(unit)),
                    1e-7);
    }
    check_close(
        by_mu,
        difference([&](auto m) { return f(y0, m); }, std::make_tuple(mu), std::make_tuple(tensor<double, 0>(1.0))),
        1e-7);
}
TEST_CASE("odeint: batches have steps of their own, and gradients") {
    const auto silent = set_vmap_fallback(vmap_fallback::silent);
    const tensor<double, 1> t{0, 1, 2}, rates{0.1, 1, 10};
    const auto last = [=](auto rate) { return odeint(decay, 1.0, t, fine, rate)(-1); };
    check_close(vmap(last)(rates), exp(-2 * rates), 1e-10);
    check_close(vmap(grad(last))(rates), -2 * exp(-2 * rates), 1e-10);
    check_close(grad([=](auto r) { return sum(vmap(last)(r)); })(rates), -2 * exp(-2 * rates), 1e-10);
    set_vmap_fallback(silent);
}
