// Sums whose value is asked for before their cotangent is there keep their adjoints: what comes out is what comes out
// without.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include "derivatives.hpp"

using namespace ricci;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

tensor<double, 1> ramp(index_t n) { return linspace<double>(-2.0, 1.5, n); }
tensor<double, 2> table(index_t n, index_t m) { return reshape(sin(3 * ramp(n * m)), {n, m}); }

}  // namespace

TEST_CASE("kept adjoints: softmax is the gradient of log sum exp, over all and over each axis") {
    const auto over = [](auto axis) { return [axis](const auto& x) { return sum(log(sum(exp(x), axis)) * 0.5); }; };
    for (const index_t n : {1, 3, 8, 21, 40000}) {
        const auto x = ramp(n);
        const auto [y, g] = value_and_grad([](const auto& v) { return log(sum(exp(v))); })(x);
        CHECK(std::abs(y.item() - logsumexp(x).item()) < 1e-12);
        CHECK(allclose(g, softmax(x, 0), 1e-13));
        CHECK(allclose(grad([](const auto& v) { return logsumexp(v); })(x), softmax(x, 0), 1e-13));
    }
    for (const index_t m : {1, 5, 19, 300}) {
        const auto x = table(7, m);
        CHECK(allclose(grad(over(0))(x), evaluate(0.5 * softmax(x, 0)), 1e-13));
        CHECK(allclose(grad(over(1))(x), evaluate(0.5 * softmax(x, 1)), 1e-13));
        const auto turned = matrix_transpose(x);
        CHECK(allclose(grad(over(1))(turned), evaluate(0.5 * softmax(turned, 1)), 1e-13));
    }
    const auto x = evaluate(reshape(table(6, 40), {2, 3, 40}));
    const auto middle = [](const auto& v) { return sum(log(sum(exp(v), 1))); };
    CHECK(allclose(grad(middle)(x), softmax(x, 1), 1e-13));
    const auto outer = [](const auto& v) { return sum(log(sum(exp(v), {0, 2}))); };
    const auto e = evaluate(exp(x));
    CHECK(allclose(grad(outer)(x), evaluate(e / sum(e, {0, 2}, keepdims)), 1e-13));
    const auto few = evaluate(astype<float>(x));
    CHECK(allclose(grad(middle)(few), softmax(few, 1), 1e-5));
}

TEST_CASE("kept adjoints: of several inputs, equal ones, and ones that were broadcast") {
    const auto x = table(6, 30), w = evaluate(cos(x));
    const auto two = [](const auto& a, const auto& b) { return log(sum(exp(a) * tanh(b) + 2)); };
    const auto [ga, gb] = grad(two, argnums<0, 1>)(x, w);
    const double s = sum(exp(x) * tanh(w) + 2).item();
    CHECK(allclose(ga, evaluate(exp(x) * tanh(w) / s), 1e-13));
    CHECK(allclose(gb, evaluate(exp(x) * (1 - tanh(w) * tanh(w)) / s), 1e-12));
    const auto same = [](const auto& a) {
        const auto b = evaluate(a + 0);
        return log(sum(exp(b) * exp(b * 2) + b * b));
    };
    const double t = sum(exp(3 * x) + x * x).item();
    CHECK(allclose(grad(same)(x), evaluate((3 * exp(3 * x) + 2 * x) / t), 1e-13));
    const auto shift = table(1, 30)(0);
    const auto broadcast = [&](const auto& m) { return sum(log(sum(exp(x - m), 1))); };
    CHECK(allclose(grad(broadcast)(shift), evaluate(-sum(softmax(x - shift, 1), 0)), 1e-13));
    const auto along = [&](const auto& m) { return sum(log(sum(exp(x - m), 0))); };
    CHECK(allclose(grad(along)(shift), evaluate(-ones<double>({30})), 1e-13));
}

TEST_CASE("kept adjoints: cotangents that are huge, infinite or no numbers") {
    const auto x = ramp(20);
    const auto f = [](const auto& v) { return sum(where(v > 0, exp(v), 0.0)); };
    const auto [y, pull] = vjp(f, x);
    const auto traced = vjp([&](const auto& v) { return f(v) + 0 * f(v).item(); }, x);  // its value is known
    for (const double bar : {0.0, 1.0, -3.5, 1e30, 1e300, inf, -inf, std::nan("")})
        for (int time = 0; time < 2; ++time) {
            const auto one = pull(tensor<double, 0>(bar)), other = std::get<1>(traced)(tensor<double, 0>(bar));
            CHECK(allclose(one, other, 1e-15, 0, true));
            CHECK(other(0).item() == 0);
        }
    // the derivative for a cotangent of one overflows
    const tensor<double, 1> large{354.8, 0};
    const auto g = grad([](const auto& v) { return log(sum(square(exp(v)))); })(large);
    CHECK(std::abs(g(0).item() - 2) < 1e-10);
    const tensor<double, 1> odd{1, inf, -inf, std::nan("")};
    for (index_t n = 1; n <= 4; ++n) {
        const auto v = odd(slice(0, n));
        const auto e = evaluate(exp(v));
        const auto known = grad([](const auto& a) { return log(sum(exp(a))); })(v);
        CHECK(allclose(known, evaluate(1 / sum(e).item() * e), 1e-14, 0, true));
    }
}

TEST_CASE("kept adjoints: of a graph that stays, and of variables") {
    const auto x = table(4, 25);
    const auto [y, pull] = vjp([](const auto& v) { return sqrt(sum(exp(v), 1)); }, x);
    const auto slope = evaluate(exp(x) / (2 * y(all, newaxis)));
    const tensor<double, 1> bar{1, 2, -3, 0.5};
    for (int time = 0; time < 3; ++time) {
        CHECK(allclose(pull(bar), evaluate(bar(all, newaxis) * slope), 1e-14));
        CHECK(allclose(pull(ones<double>({4})), slope, 1e-14));
    }
    variable<double, 2> w = x.clone();
    const auto total = sum(exp(w));
    CHECK(std::abs(total.item() - sum(exp(x)).item()) < 1e-10);
    const auto loss = evaluate(total * total);
    backward(loss, {.retain_graph = true});
    backward(loss);
    CHECK(allclose(w.grad(), evaluate(4 * sum(exp(x)).item() * exp(x)), 1e-13));
    const auto again = sum(exp(w));
    (void)again.item();
    w.value() += 1.0;
    CHECK_THROWS_AS(backward(again), gradient_error);
}

TEST_CASE("kept adjoints: derivatives of derivatives") {
    const auto f = [](const auto& v) { return logsumexp(v); };
    const auto x = ramp(9);
    const auto p = softmax(x, 0);
    const auto expected = evaluate(p(all, newaxis) * (eye<double>(9) - p));
    CHECK(allclose(hessian(f)(x), expected, 1e-12, 1e-15));
    CHECK(allclose(jacrev(grad(f))(x), expected, 1e-12, 1e-15));
    const auto rows = table(3, 9);
    CHECK(allclose(vmap(grad(f))(rows), softmax(rows, 1), 1e-13));
    const auto third = [&](const auto& v) {
        return sum(square(grad([&](const auto& u) { return log(sum(exp(u))); })(v)));
    };
    const auto slope = grad(third)(x);
    CHECK(allclose(slope, evaluate(2 * (p * p - sum(p * p) * p)), 1e-12, 1e-15));
}
