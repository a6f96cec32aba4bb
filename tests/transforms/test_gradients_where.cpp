// Derivatives through where and through a user's own function, and what the branch that is not selected must not do to
// them.
#include <limits>

#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 2> x0 = spread({2, 3}, 4) + 1.6;
constexpr double inf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("derivatives: where") {
    check_orders([](auto x) { return where(x > 1.5, x * x, sin(x)); }, x0);
}
TEST_CASE("derivatives: a user's function") {
    check_orders([](auto x) { return map([](auto a, auto b) { return a * b + sin(a * b) / (2 + b); }, x, x * x); }, x0);
}
TEST_CASE("derivatives: a user's function that selects, with a constant argument") {
    check_orders([](auto x) { return map([](auto a, auto b) { return where(a > b, a * a * b, exp(b) * a); }, x, 1.7); }, x0);
}
TEST_CASE("derivatives: arguments of a user's function, one by one") {
    check_first_order([](auto a, auto b) { return map([](auto u, auto v) { return u * v * v + 1; }, a, b); }, spread({2, 3}, 1),
                      spread({3}, 2));
}

// 0 * inf: each branch is infinite, or has an infinite or undefined derivative, exactly where it is not selected.
TEST_CASE("where: what is not selected adds nothing, in any order and mode") {
    const tensor<double, 1> x{-1, 0, 0.25, 4};
    const tensor<double, 1> slope{0, 0, 1, 0.25}, curvature{0, 0, -2, -0.03125};
    auto f = [](auto v) { return where(v > 0, sqrt(v), 0); };
    auto s = [f](auto v) { return sum(f(v)); };
    check_close(grad(s)(x), slope);
    check_close(std::get<1>(jvp(f, x, ones<double>({4}))), slope);
    check_close(hvp(s, x, ones<double>({4})), curvature);
    check_close(grad([s](auto v) { return sum(grad(s)(v)); })(x), curvature);
    check_close(vmap(grad(f))(x), slope);
}
TEST_CASE("where: 0 / 0, log 0 and overflow in the other branch") {
    const tensor<double, 1> x{0, 1, 800};
    auto sinc = [](auto v) { return sum(where(v == 0, 1, sin(v) / v)); };
    const auto g = grad(sinc)(x);
    CHECK(g.at(0) == 0);
    CHECK(g.at(1) == doctest::Approx(std::cos(1.0) - std::sin(1.0)).epsilon(1e-14));
    auto entropy = [](auto v) { return sum(where(v > 0, v * log(v), 0)); };
    CHECK(grad(entropy)(x).at(0) == 0);
    CHECK(grad([entropy](auto v) { return sum(grad(entropy)(v)); })(x).at(0) == 0);
    CHECK(hvp(entropy, x, ones<double>({3})).at(1) == 1);
    auto softplus = [](auto v) { return sum(where(v > 30, v, log(1 + exp(v)))); };
    CHECK(grad(softplus)(x).at(2) == 1);
    CHECK(grad(softplus)(x).at(0) == 0.5);
    CHECK(hvp(softplus, x, ones<double>({3})).at(2) == 0);
}
TEST_CASE("where: nested, and in a user's function") {
    const tensor<double, 1> x{-2, 0, 3};
    auto nested = [](auto v) { return sum(where(v > 0, log(v), where(v < 0, log(-v), 0))); };
    check_close(grad(nested)(x), tensor<double, 1>{-0.5, 0, 1.0 / 3});
    auto users = [](auto v) { return sum(map([](auto a) { return where(a > 0, sqrt(a), a * 0); }, v)); };
    CHECK(grad(users)(x).at(0) == 0);
    CHECK(grad(users)(x).at(2) == doctest::Approx(0.5 / std::sqrt(3.0)));
}
TEST_CASE("where: both branches and a broadcast mask") {
    const tensor<bool, 1> mask{true, false, true};
    const tensor<double, 2> a{{1, 2, 3}, {4, 5, 6}}, b{{7, inf, 9}, {1, 2, 3}};
    const auto [y, pull] = vjp([mask](auto u, auto v) { return where(mask, u * u, v); }, a, b);
    const auto [a_bar, b_bar] = pull(ones<double>({2, 3}));
    check_close(a_bar, tensor<double, 2>{{2, 0, 6}, {8, 0, 12}});
    check_close(b_bar, tensor<double, 2>{{0, 1, 0}, {0, 1, 0}});
    CHECK(y.at(0, 1) == inf);
}

// The root, an array of its own, is only compared: a zero adjoint sent to it would come back as 0 * inf.
TEST_CASE("where: what only decides gets no adjoint") {
    const tensor<double, 0> x(0.75);
    auto f = [](auto v) { return where(evaluate(sqrt(v - v)) > 0.5, 1.0, v * v); };
    CHECK(grad(f)(x).item() == 1.5);
    CHECK(grad(grad(f))(x).item() == 2);
    CHECK(hessian(f)(x).item() == 2);
    variable<double, 0> w = x.clone();
    const auto [slope] = autograd::grad(f(w), ricci::tuple(w), {.create_graph = true});
    backward(slope * slope);
    CHECK(w.grad().item() == 6);
    check_close(vmap(grad(f))(tensor<double, 1>{0.75, -2}), tensor<double, 1>{1.5, -4});
}
