// autograd::grad goes through what leads from the outputs to the inputs, and leaves the rest of the graph alone.
#include <string>
#include <vector>

#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 1> w0{0.5, -1, 2};

}  // namespace

TEST_CASE("autograd::grad: what lies behind the inputs is there for the next pass") {
    variable<double, 1> w = w0.clone();
    const auto y = evaluate(sin(w));
    const auto z = evaluate(sum(y * y));
    check_close(autograd::grad(z, y).value(), 2 * sin(w0));  // lets go of z's part
    check_close(autograd::grad(sum(y * 3), w).value(), 3 * cos(w0));
    CHECK_THROWS_AS(autograd::grad(z, y), gradient_error);
    CHECK_THROWS_AS(autograd::grad(z, w), gradient_error);
}
TEST_CASE("autograd::grad: an input that another pass went through is one to end at") {
    variable<double, 1> w = w0.clone();
    const auto y = evaluate(sin(w));
    const auto z = evaluate(sum(y * y)), u = evaluate(sum(y * y * y));
    check_close(autograd::grad(sum(y), w).value(), cos(w0));  // frees y
    check_close(autograd::grad(z, y).value(), 2 * sin(w0));
    CHECK_THROWS_AS(autograd::grad(u, ricci::tuple(y, w)), gradient_error);
}
TEST_CASE("autograd::grad: two heads of one trunk, one after the other") {
    variable<double, 1> trunk = w0.clone(), a = ones<double>({3}), b = ones<double>({3});
    const auto h = evaluate(exp(trunk));
    const auto first = evaluate(sum(h * a)), second = evaluate(sum(h * b * b)), both = evaluate(first + second);
    check_close(autograd::grad(both, a, {.retain_graph = true}).value(), exp(w0));
    check_close(autograd::grad(second, b).value(), 2 * exp(w0));
    const auto [h_bar, a_bar] = autograd::grad(first, ricci::tuple(h, a));
    check_close(h_bar.value(), ones<double>({3}));
    check_close(a_bar.value(), exp(w0));
    backward(sum(h));
    check_close(trunk.grad(), exp(w0));
    check_close(a.grad(), zeros<double>({3}));
}
TEST_CASE("autograd::grad: neither hooks nor overwritten values of other parts matter") {
    variable<double, 1> w = w0.clone(), v = w0.clone();
    int calls = 0;
    const auto a = evaluate(v * v), b = evaluate(sin(a));
    const auto loss = evaluate(sum(w * w * w) + sum(b));
    v.register_hook([&](const tensor<double, 1>&) { ++calls; });
    b.register_hook([&](const tensor<double, 1>&) { ++calls; });
    a.value() += 1.0;  // what sin's derivative needs
    check_close(autograd::grad(loss, w, {.retain_graph = true}).value(), 3 * w0 * w0);
    CHECK(calls == 0);
    CHECK_THROWS_AS(autograd::grad(loss, v, {.retain_graph = true}), gradient_error);
    w.register_hook([&](const tensor<double, 1>& g) { return 2 * g; });
    check_close(autograd::grad(loss, w).value(), 6 * w0 * w0);
}
TEST_CASE("autograd::grad: lists, views and elements on the way") {
    variable<double, 1> w = w0.clone(), v = w0.clone();
    const auto parts = std::vector{evaluate(w * 2), evaluate(v * 3), evaluate(w * v)};
    const auto all = evaluate(stack(parts));
    const auto element = evaluate(all(0, 1) * all(2, 2)), row = evaluate(sum(all(2)));
    const auto [at_w, at_row] = autograd::grad(ricci::tuple(element, row), ricci::tuple(w, parts[2]),
                                               ricci::tuple(1.0, 1.0), {.retain_graph = true});
    check_close(at_w.value(), tensor<double, 1>{w0.at(0), 2 * 4 + w0.at(1), -2 * 2 + w0.at(2)});
    check_close(at_row.value(), tensor<double, 1>{1, 1, -1});
    check_close(autograd::grad(element, parts[0], {.retain_graph = true}).value(), tensor<double, 1>{0, 4, 0});
    check_close(autograd::grad(row, parts[2]).value(), ones<double>({3}));
    check_close(autograd::grad(sum(parts[1]), v).value(), full<double>({3}, 3));
}
TEST_CASE("autograd::grad: create_graph keeps to the ways, too, through maps that are replayed") {
    variable<double, 1> w = w0.clone(), v = w0.clone();
    const auto y = evaluate(sin(w) * v);
    const auto loss = evaluate(sum(exp(y) * y));
    const auto y_bar = autograd::grad(loss, y, {.create_graph = true});
    const tensor<double, 1> at = sin(w0) * w0;
    check_close(y_bar.value(), exp(at) * (1 + at));
    const auto slope = autograd::grad(sum(y_bar), w, {.create_graph = true});
    check_close(slope.value(), exp(at) * (2 + at) * cos(w0) * w0);
    backward(sum(slope));
    check_close(v.grad(), exp(at) * ((3 + at) * sin(w0) * cos(w0) * w0 + (2 + at) * cos(w0)));
}
TEST_CASE("autograd::grad: an input beside the way is none") {
    variable<double, 1> w = w0.clone(), v = w0.clone();
    const auto y = evaluate(w * 2), z = evaluate(y * 3), other = evaluate(y * v);
    CHECK_THROWS_AS(autograd::grad(sum(z), other, {.retain_graph = true}), gradient_error);
    const auto [of_other, of_y] = autograd::grad(sum(z), ricci::tuple(other, y), {.allow_unused = true});
    check_close(of_other.value(), zeros<double>({3}));
    check_close(of_y.value(), full<double>({3}, 3));
}
TEST_CASE("variable: a sum that is read after what it needs was changed says so") {
    variable<double, 1> w = w0.clone();
    const auto before = evaluate(sum(w * w)), late = evaluate(sum(w * w));
    CHECK(before.item() == doctest::Approx(5.25).epsilon(1e-15));
    w.value() += 1.0;
    CHECK(before.item() == doctest::Approx(5.25).epsilon(1e-15));
    std::string text;
    try {
        late.item();
    } catch (const gradient_error& e) {
        text = e.what();
    }
    CHECK_MESSAGE(text.find("read it before, by item() or value()") != std::string::npos, text);
}
