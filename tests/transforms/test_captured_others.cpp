// Values captured from the other outer transforms: they share the rules of grad and jvp, so a few inner ones do.
#include "captured.hpp"

using namespace captured;

TEST_CASE("captured from value_and_grad: grad") {
    check_captured<outer_value_and_grad, inner_grad>();
}
TEST_CASE("captured from value_and_grad: jvp") {
    check_captured<outer_value_and_grad, inner_jvp>();
}
TEST_CASE("captured from value_and_grad: vmap") {
    check_captured<outer_value_and_grad, inner_vmap>();
}
TEST_CASE("captured from vjp: grad") {
    check_captured<outer_vjp, inner_grad>();
}
TEST_CASE("captured from vjp: jvp") {
    check_captured<outer_vjp, inner_jvp>();
}
TEST_CASE("captured from vjp: vmap") {
    check_captured<outer_vjp, inner_vmap>();
}

// ---- where the order of operands does not tell which transform is the inner one -------------------------------------

TEST_CASE("captured values stand on both sides of operators") {
    const tensor<double, 1> x0{0.3, -0.7, 1.1}, w{0.4, 1.2, -0.6};
    const auto loss = [x0](const auto& v) {
        const auto h = [&](const auto& x) { return sum(v * sin(x)) * sum(x * v); };
        return sum(square(grad(h)(x0)));
    };
    CHECK(gradcheck(loss, w));
    CHECK(gradgradcheck(loss, w));
}
#ifndef __clang__  // which refuses forward mode around these: it prints no functions around lambdas
TEST_CASE("residuals of an equation, of parameters that are captured") {
    const tensor<double, 1> xs{0.3, -0.7}, ts{0.4, 1.2};
    const tensor<double, 2> w{{0.2, -0.5}, {1.1, 0.7}};
    const tensor<double, 1> v{0.6, -1.3};
    const auto squares = [=](const auto& w1, const auto& w2, const auto& residual_of) {
        const auto u = [&](const auto& x, const auto& t) { return dot(tanh(x * w1(0) + t * w1(1)), w2); };
        return sum(square(vmap(residual_of(u))(xs, ts)));
    };
    SUBCASE("in reverse") {
        const auto loss = [&](const auto& w1, const auto& w2) {
            return squares(w1, w2, [](const auto& u) {
                return [u](const auto& x, const auto& t) {
                    return grad(u, argnums<1>)(x, t) + u(x, t) * grad(u)(x, t) - 0.1 * grad(grad(u))(x, t);
                };
            });
        };
        CHECK(gradcheck([&](const auto& a) { return loss(a, v); }, w));
        CHECK(gradcheck([&](const auto& b) { return loss(w, b); }, v));
        CHECK(allclose(jacfwd(loss)(w, v), grad(loss)(w, v)));
    }
    SUBCASE("forward") {
        const auto loss = [&](const auto& w1, const auto& w2) {
            return squares(w1, w2, [](const auto& u) {
                return [u](const auto& x, const auto& t) {
                    const auto [value, slope] = jvp([&](const auto& s) { return u(x, s); }, t, 1.0);
                    return slope + value * std::get<1>(jvp([&](const auto& s) { return u(s, t); }, x, 1.0));
                };
            });
        };
        CHECK(gradcheck([&](const auto& a) { return loss(a, v); }, w));
        CHECK(allclose(jacfwd(loss, argnums<1>)(w, v), grad(loss, argnums<1>)(w, v)));
    }
}
#endif
