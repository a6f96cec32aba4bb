// Adjoints of slices that go straight into the gradient of what they show: with other transforms, hooks, several
// passes.
#include <cmath>
#include <vector>

#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

inline constexpr auto bends = [](const auto& x) {
    return sum(square(x(slice(2, none)) - 2 * x(slice(1, -1)) + x(slice(0, -2))));
};
/// Its gradient, which is linear.
tensor<double, 1> slope_of_bends(const tensor<double, 1>& x) {
    auto g = zeros<double>(x.shape());
    for (index_t i = 0; i + 2 < x.size(); ++i) {
        const double bend = x.at(i + 2) - 2 * x.at(i + 1) + x.at(i);
        g.data()[i] += 2 * bend;
        g.data()[i + 1] -= 4 * bend;
        g.data()[i + 2] += 2 * bend;
    }
    return g;
}

const auto x0 = spread({20});
const auto v0 = spread({20}, 3);

}  // namespace

TEST_CASE("windows: every way to a Hessian times a vector") {
    const auto expected = slope_of_bends(v0);
    const auto slope = grad(bends);
    check_close(slope(x0), slope_of_bends(x0));
    check_close(hvp(bends, x0, v0), expected);
    check_close(grad([&](const auto& x) { return sum(slope(x) * v0); })(x0), expected);
    check_close(grad([&](const auto& x) { return std::get<1>(jvp(bends, x, v0)); })(x0), expected);
    check_close(matmul(hessian(bends)(x0), v0), expected);
}
TEST_CASE("windows: vmap of the gradient, gradient of vmap") {
    const auto many = spread({5, 20});
    const auto slopes = vmap(grad(bends))(many);
    const auto total = grad([](const auto& x) { return sum(vmap(bends)(x)); })(many);
    for (index_t b = 0; b < 5; ++b) {
        check_close(slopes(b, all), slope_of_bends(many(b, all).clone()));
        check_close(total(b, all), slope_of_bends(many(b, all).clone()));
    }
    const auto products =
        vmap([](const auto& x, const auto& v) { return hvp(bends, x, v); }, in_axes(none, 0))(x0, many);
    for (index_t b = 0; b < 5; ++b) check_close(products(b, all), slope_of_bends(many(b, all).clone()));
}
TEST_CASE("windows: jet of the gradient") {
    const auto [value, series] = jet(grad(bends), std::make_tuple(x0), std::make_tuple(std::make_tuple(v0, x0)));
    check_close(value, slope_of_bends(x0));
    check_close(std::get<0>(series), slope_of_bends(v0));
    check_close(std::get<1>(series), slope_of_bends(x0));
}
TEST_CASE("windows: gradients that were handed out stay as they are") {
    variable<double, 1> w = x0.clone();
    backward(bends(w));
    const auto first = w.grad();
    const auto copy = first.clone();
    backward(bends(w));
    check_close(first, copy, 0);
    check_close(w.grad(), 2 * slope_of_bends(x0));
    const auto loss = evaluate(bends(w) + sum(w(slice(0, 5))));
    const auto a = std::get<0>(autograd::grad(loss, tuple(w), {.retain_graph = true})).value();
    const auto before = a.clone();
    const auto b = std::get<0>(autograd::grad(loss, tuple(w))).value();
    check_close(a, before, 0);
    check_close(a, b, 0);
}
TEST_CASE("windows: hooks and retained gradients of slices and of what they show") {
    variable<double, 1> w = x0.clone();
    std::vector<tensor<double, 1>> seen;
    w.register_hook([&](const tensor<double, 1>& g) { seen.push_back(g); });
    const auto part = evaluate(w(slice(3, 9)));
    part.retain_grad();
    const auto doubled = part.register_hook([](const tensor<double, 1>& g) { return evaluate(2 * g); });
    const auto loss = evaluate(sum(part * w(slice(4, 10))) + bends(w));
    backward(loss, {.retain_graph = true});
    auto expected = slope_of_bends(x0);
    for (index_t i = 0; i < 6; ++i) {
        expected.data()[3 + i] += 2 * x0.at(4 + i);
        expected.data()[4 + i] += x0.at(3 + i);
    }
    check_close(part.grad(), 2 * x0(slice(4, 10)));
    check_close(w.grad(), expected);
    REQUIRE(seen.size() == 1);
    check_close(seen[0], expected);
    const auto kept = seen[0].clone();
    doubled.remove();
    backward(loss);
    check_close(seen[0], kept, 0);
}
TEST_CASE("windows: gradients with respect to a slice") {
    variable<double, 1> w = x0.clone();
    const auto part = evaluate(w(slice(2, 8)));
    const auto loss = evaluate(sum(part * part * w(slice(0, 6))));
    const auto [by_part, by_all] = autograd::grad(loss, tuple(part, w));
    check_close(by_part.value(), 2 * x0(slice(2, 8)) * x0(slice(0, 6)));
    check_close(by_all.value(), grad([](const auto& x) { return sum(square(x(slice(2, 8))) * x(slice(0, 6))); })(x0));
}
TEST_CASE("windows: create_graph") {
    variable<double, 1> w = x0.clone();
    const auto [g] = autograd::grad(bends(w), tuple(w), {.create_graph = true});
    check_close(g.value(), slope_of_bends(x0));
    const auto [h] = autograd::grad(sum(g * v0), tuple(w));
    check_close(h.value(), slope_of_bends(v0));
}
TEST_CASE("windows: values written in place, graphs freed") {
    variable<double, 1> w = x0.clone();
    const auto part = evaluate(w(slice(0, 5)));
    const auto loss = evaluate(sum(part * w(slice(5, 10))));
    w.value() *= 2.0;
    CHECK_THROWS_AS(backward(loss), gradient_error);
    const auto again = evaluate(sum(part * w(slice(5, 10))));
    backward(again);
    CHECK_THROWS_AS(backward(again), gradient_error);
    CHECK_THROWS_AS(backward(sum(part)), gradient_error);
    check_close(w.grad()(slice(10, none)), zeros<double>({10}));
}
TEST_CASE("windows: a long loop over elements adds each to one gradient") {
    auto f = [](const auto& x) {
        auto total = evaluate(sum(x(slice(0, 1))));
        for (index_t i = 1; i < x.size(); ++i) total = evaluate(total * 0.5 + x(i) * x(i - 1));
        return total;
    };
    check_first_order(f, spread({6}));
}

TEST_CASE("windows: single elements, of what other ops read and of views") {
    const auto f = [](const auto& x) {
        const auto a = x(2), b = x(-1);
        return sum(square(x)) * a * b + x(slice(1, 4))(1) * a * a + b;
    };
    const double squares = sum(square(x0)), a = x0(2), b = x0(-1);
    auto expected = evaluate(2 * a * b * x0);
    expected.data()[2] += squares * b + 3 * a * a;
    expected.data()[19] += squares * a + 1;
    check_close(grad(f)(x0), expected);
    const auto pulled = [&](const auto& x) { return std::get<1>(vjp(f, x))(1.0); };
    check_close(std::get<1>(jvp(grad(f), x0, v0)), std::get<1>(jvp(pulled, x0, v0)));
    check_close(hvp(f, x0, v0), grad([&](const auto& x) { return sum(grad(f)(x) * v0); })(x0));
    const auto [value, pull] = vjp(f, x0);
    check_close(value, tensor<double, 0>(squares * a * b + a * a * a + b));
    check_close(pull(2.0), 2 * expected);
    check_close(pull(1.0), expected);

    variable<double, 1> w = x0.clone();
    const auto element = w(2);
    double seen = 0;
    element.register_hook([&](const auto& g) { seen = g.item(); });
    const auto loss = evaluate(f(w) + 3 * element);
    backward(loss, {.retain_graph = true});
    const auto first = w.grad();
    backward(loss);
    CHECK(seen == 3);
    auto with_element = expected.clone();
    with_element.data()[2] += 3;
    check_close(first, with_element);
    check_close(w.grad(), 2 * with_element);
    CHECK_THROWS_AS(backward(loss), gradient_error);
}
TEST_CASE("windows: elements of matrices and of their transposes") {
    const auto m0 = spread({3, 4});
    const auto f = [](const auto& m) { return m(1, 2) * permute(m, {1, 0})(0, 2) + exp(m(1, 2) * m(1, 2)); };
    auto expected = zeros<double>({3, 4});
    const double p = m0(1, 2), q = m0(2, 0);
    expected.data()[6] = q + 2 * p * std::exp(p * p);
    expected.data()[8] = p;
    check_close(grad(f)(m0), expected);
}
