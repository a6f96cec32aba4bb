// What users hold of cotangents (seeds, gradients, what hooks saw) stays what it is when adjoints are added in place.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

tensor<double, 1> ramp(index_t n) { return linspace<double>(-1.0, 1.25, n); }

}  // namespace

TEST_CASE("cotangents: seeds that the user holds stay what they are") {
    const auto x = ramp(6);
    const auto f = [](const auto& v) {
        const auto y = evaluate(sin(v));
        return std::make_tuple(y, evaluate(y * y), evaluate(exp(y)));
    };
    const auto traced = vjp(f, x);
    const auto& pull = std::get<1>(traced);
    const auto one = ones<double>({6}), two = evaluate(2.0 * ones<double>({6}));
    const auto first = pull(std::make_tuple(one, two, one)), second = pull(std::make_tuple(one, two, one));
    CHECK(all(one == 1.0).item());
    CHECK(all(two == 2.0).item());
    CHECK(all(first == second).item());
    const auto y = evaluate(sin(x));
    CHECK(allclose(first, evaluate(cos(x) * (1.0 + 4.0 * y + exp(y))), 1e-14));
}

TEST_CASE("cotangents: gradients that were handed out are not added to") {
    variable<double, 1> w = ramp(9);
    std::vector<tensor<double, 1>> seen;
    auto y = evaluate(sin(w));
    y.retain_grad();
    y.register_hook([&](const tensor<double, 1>& g) { seen.push_back(g); });
    const auto loss = evaluate(sum(y * y) + sum(exp(y)) + sum(y));
    backward(loss, {.retain_graph = true});
    const auto given = w.grad(), retained = y.grad();
    const auto given_copy = given.clone(), retained_copy = retained.clone(), seen_copy = seen[0].clone();
    backward(loss);
    CHECK(all(given == given_copy).item());
    CHECK(all(retained == retained_copy).item());
    CHECK(all(seen[0] == seen_copy).item());
    CHECK(all(seen[1] == seen_copy).item());
    CHECK(allclose(w.grad(), evaluate(2.0 * given_copy), 1e-15));
    const auto v = evaluate(sin(w.value()));
    CHECK(allclose(retained_copy, evaluate(2.0 * v + exp(v) + 1.0), 1e-14));
}

TEST_CASE("cotangents: a hook that keeps and replaces the cotangent of a value used thrice") {
    variable<double, 1> w = ramp(9);
    tensor<double, 1> kept;
    const auto y = evaluate(w * 3.0);
    y.register_hook([&](const tensor<double, 1>& g) {
        kept = g;
        return tensor<double, 1>(evaluate(g * 0.5));
    });
    backward(evaluate(sum(y * y) + sum(y) + sum(w * w)));
    CHECK(allclose(kept, evaluate(6.0 * w.value() + 1.0), 1e-14));
    CHECK(allclose(w.grad(), evaluate(1.5 * kept + 2.0 * w.value()), 1e-14));
}

TEST_CASE("cotangents: anomaly mode still names the op that made the NaN") {
    const autograd::detect_anomaly on;
    variable<double, 1> w = tensor<double, 1>{0, 1};
    const auto a = evaluate(w * 2.0), b = evaluate(sqrt(w) * w), c = evaluate(w + 1.0);
    CHECK_THROWS_AS(backward(evaluate(sum(a) + sum(b) + sum(c))), gradient_error);
}

TEST_CASE("cotangents: a number's gradient that somebody holds keeps its value while more is added to it") {
    variable<double, 0> w = tensor<double, 0>(3.0);
    backward(w * w);
    const auto held = w.grad();
    backward(w * w * w);
    CHECK(held.item() == 6);
    CHECK(w.grad().item() == 6 + 27);
    backward(2.0 * w);
    CHECK(w.grad().item() == 6 + 27 + 2);
}

TEST_CASE("cotangents: adjoints of a number from several ops, to the third order") {
    const auto fifth = [](auto w) {
        const auto square = evaluate(w * w);
        return evaluate(square * w) * square + 0.0 * w;
    };
    const tensor<double, 0> x(3.0);
    CHECK(grad(fifth)(x).item() == 5 * 81);
    CHECK(grad(grad(fifth))(x).item() == 20 * 27);
    CHECK(grad(grad(grad(fifth)))(x).item() == 60 * 9);
}
