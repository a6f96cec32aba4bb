// create_graph: gradients that are recorded in their turn, to any order.
#include <limits>

#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 1> w0{0.5, -1, 2};

/// Slope and curvature of sum(f(w)), f element-wise, by two passes of autograd::grad.
template <class F>
void check_two_orders(const F& f, const tensor<double, 1>& at) {
    variable<double, 1> w = at.clone();
    const auto [slope] = autograd::grad(sum(f(w)), ricci::tuple(w), {.create_graph = true});
    const auto total = [f](const auto& x) { return sum(f(x)); };
    check_close(slope.value(), difference_gradient<0>(total, tensor<double, 0>(1), std::make_tuple(at)),
                difference_tolerance);
    const auto v = spread(at.shape(), 3);
    const auto [product] = autograd::grad(sum(slope * v), ricci::tuple(w), {.allow_unused = true});
    check_close(product.value(), difference(ricci::grad(total), std::make_tuple(at), std::make_tuple(v)),
                difference_tolerance);
}

}  // namespace

TEST_CASE("create_graph: arithmetic") {
    check_two_orders([](const auto& w) { return w * w * w - 2 * w + 1 / (w * w + 1); }, w0);
    check_two_orders([](const auto& w) { return square(w) / 3 - w; }, w0);
    check_two_orders([](const auto& w) { return -w; }, w0);
}
TEST_CASE("create_graph: functions") {
    check_two_orders([](const auto& w) { return exp(-w * w) * sin(w); }, w0);
    check_two_orders([](const auto& w) { return log(w * w + 1) + cos(w) * tanh(w); }, w0);
    check_two_orders([](const auto& w) { return sqrt(w) + pow(w, 2.5); }, abs(w0));
}
TEST_CASE("autograd::grad: variables in braces") {
    const variable<double, 1> a = w0.clone(), b = evaluate(exp(w0));
    const auto [a_bar, b_bar] = autograd::grad(sum(a * b), {a, b});
    check_close(a_bar.value(), exp(w0));
    check_close(b_bar.value(), w0);
    check_close(autograd::grad(sum(a * a), {a})[0].value(), 2 * w0);
}
TEST_CASE("create_graph: selections") {
    check_two_orders([](const auto& w) { return where(w > 0, w * w, sin(w)); }, w0);
    check_two_orders([](const auto& w) { return maximum(w * w, 3 * w) * minimum(w, 0.1); }, w0);
    check_two_orders([](const auto& w) { return clip(w * w, 0.5, 3) * abs(w) * w; }, w0);
}
TEST_CASE("create_graph: three and four orders") {
    variable<double, 0> w = tensor<double, 0>(0.7);
    const auto y = evaluate(w * w * w * w * w);
    const auto [first] = autograd::grad(y, ricci::tuple(w), {.create_graph = true});
    const auto [second] = autograd::grad(first, ricci::tuple(w), {.create_graph = true});
    const auto [third] = autograd::grad(second, ricci::tuple(w), {.create_graph = true});
    const auto [fourth] = autograd::grad(third, ricci::tuple(w));
    CHECK(first.item() == doctest::Approx(5 * std::pow(0.7, 4)).epsilon(1e-13));
    CHECK(second.item() == doctest::Approx(20 * std::pow(0.7, 3)).epsilon(1e-13));
    CHECK(third.item() == doctest::Approx(60 * std::pow(0.7, 2)).epsilon(1e-13));
    CHECK(fourth.item() == doctest::Approx(120 * 0.7).epsilon(1e-13));
}
TEST_CASE("create_graph: a gradient penalty") {
    const auto x0 = spread({4, 3}, 2);
    const auto w1 = spread({3, 5}, 1);
    const auto w2 = spread({5}, 4);
    // the critic's score and its slope in x, by hand: tanh(x w1) w2
    auto penalty = [&](const auto& a, const auto& b) {
        const auto h = tanh(matmul(x0, a));
        const auto slope = matmul((1 - h * h) * b, permute(a, {1, 0}));
        return mean(square(sqrt(sum(slope * slope, 1)) - 1));
    };
    variable<double, 2> a = w1.clone(), x = x0.clone();
    variable<double, 1> b = w2.clone();
    const auto score = sum(matmul(tanh(matmul(x, a)), b));
    const auto [slope] = autograd::grad(score, ricci::tuple(x), {.create_graph = true});
    backward(mean(square(sqrt(sum(slope * slope, 1)) - 1)));
    const auto one = tensor<double, 0>(1);
    check_close(a.grad(), difference_gradient<0>(penalty, one, std::make_tuple(w1, w2)), difference_tolerance);
    check_close(b.grad(), difference_gradient<1>(penalty, one, std::make_tuple(w1, w2)), difference_tolerance);
}
TEST_CASE("create_graph: a value that changed in place is refused") {
    variable<double, 1> w = w0.clone();
    auto k = w0.clone();
    const auto loss = sum(k * w * w);
    k(0) = 7.0;
    CHECK_THROWS_AS(autograd::grad(loss, ricci::tuple(w), {.create_graph = true}), gradient_error);
    const auto other = sum(w * w * w);
    const auto [slope] = autograd::grad(other, ricci::tuple(w), {.create_graph = true});
    w.value() += 1.0;
    CHECK_THROWS_AS(autograd::grad(sum(slope), ricci::tuple(w)), gradient_error);
}
TEST_CASE("create_graph: through the forward mode of variables") {
    const auto v0 = spread({3}, 7);
    const auto f = [](const auto& x) { return sin(x) * x * x + x(0) / (2 + x); };
    const auto check = [&](const auto& tangent) {  // gradient and Hessian of a sum of squares of tangents
        variable<double, 1> w = w0.clone();
        const auto t = tangent(w);
        const auto [first] = autograd::grad(sum(t * t), ricci::tuple(w), {.create_graph = true});
        const auto [second] = autograd::grad(sum(first * v0), ricci::tuple(w));
        const auto slope = grad([&](const auto& x) {
            const auto d = tangent(x);
            return sum(d * d);
        });
        check_close(first.value(), slope(w0));
        check_close(second.value(), std::get<1>(jvp(slope, w0, v0)));
    };
    check([&](const auto& x) { return std::get<1>(jvp(f, x, v0)); });
    check([&](const auto& x) { return hvp([&](const auto& y) { return sum(exp(y) * f(y)); }, x, v0); });
    check([&](const auto& x) { return std::get<1>(linearize(f, x))(v0); });
}
