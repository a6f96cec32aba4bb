// The imperative style beyond backward: no_grad and its kin, detach, retain_grad, hooks, freed graphs, anomaly mode.
#include <thread>
#include <vector>

#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 1> w0{0.5, -1, 2};

template <class F>
std::string error_of(const F& f) {
    try {
        f();
    } catch (const gradient_error& e) {
        return e.what();
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("no_grad: what is computed under it is constant") {
    variable<double, 1> w = w0.clone();
    CHECK(w.requires_grad());
    CHECK(is_grad_enabled());
    const auto scale = [&] {
        const no_grad guard;
        CHECK_FALSE(is_grad_enabled());
        {
            const enable_grad inner;
            CHECK(evaluate(w * 2).requires_grad());
        }
        CHECK_FALSE((w * 2).requires_grad());
        return evaluate(sum(w * w));
    }();
    CHECK_FALSE(scale.requires_grad());
    CHECK((2 * sin(w0 + w)).requires_grad());  // of maps that are not evaluated, too
    CHECK_FALSE((2 * sin(w0 + w.detach())).requires_grad());
    CHECK_FALSE((2 * sin(w0)).requires_grad());
    CHECK(scale.item() == doctest::Approx(5.25).epsilon(1e-14));
    CHECK_THROWS_AS(backward(scale), gradient_error);
    backward(sum(w) * scale);
    check_close(w.grad(), full<double>({3}, 5.25));
}
TEST_CASE("no_grad: a step of gradient descent written with the variable itself") {
    variable<double, 1> w = w0.clone();
    backward(sum(w * w));
    {
        const no_grad guard;
        w.value() -= 0.5 * w.grad();
    }
    check_close(w.value(), zeros<double>({3}));
}
TEST_CASE("no_grad: a variable that is written to stays the variable, in its memory") {
    variable<double, 1> w = w0.clone();
    const double* const memory = w.value().data();
    backward(sum(w * w));
    tensor<double, 1> expected = 0.5 * w0;
    {
        const no_grad guard;
        w -= 0.25 * w.grad();
        check_close(w.value(), expected);
        w(0) = 3.0;
        w(slice(1, none)) *= w(0);
        w(w < 0) += 0.5;
    }
    expected(0) = 3.0;
    expected(slice(1, none)) *= 3;
    expected(expected < 0) += 0.5;
    check_close(w.value(), expected);
    CHECK(w.value().data() == memory);
    CHECK(w.is_leaf());
    w.zero_grad();
    const auto loss = sum(w * w);
    backward(loss, {.retain_graph = true});
    check_close(w.grad(), 2 * expected);
    {
        const no_grad guard;
        w += 1.0;
    }
    CHECK_THROWS_AS(backward(loss), gradient_error);  // needs what was overwritten
    CHECK_THROWS_AS(w += 1.0, gradient_error);
    variable<float, 0> b = 1.0F;
    {
        const no_grad guard;
        b += 2.0;
    }
    backward(b * b);
    CHECK(b.grad().item() == 6.0F);
}
TEST_CASE("no_grad: inside a differentiated function it makes constants, around one it does nothing") {
    auto f = [](const auto& x) {
        const auto c = [&] {
            const no_grad guard;
            return evaluate(sum(x * x));
        }();
        return sum(x) * c;
    };
    const no_grad guard;
    check_close(grad(f)(w0), full<double>({3}, 5.25));
}
TEST_CASE("detach: the value without its history") {
    variable<double, 1> w = w0.clone();
    const auto h = evaluate(w * w);
    backward(sum(h.detach() * w));
    check_close(w.grad(), w0 * w0);
    CHECK_FALSE(h.detach().requires_grad());
    CHECK(h.detach().value().data() == h.value().data());
    CHECK_THROWS_AS(h.detach().retain_grad(), gradient_error);
}
TEST_CASE("retain_grad: computed values keep gradients when they are asked to") {
    variable<double, 1> w = w0.clone();
    const auto h = evaluate(sin(w));
    CHECK(error_of([&] { h.grad(); }).find("retain_grad") != std::string::npos);
    h.retain_grad();
    CHECK_FALSE(h.is_leaf());
    CHECK(w.is_leaf());
    const auto loss = evaluate(sum(h * h));
    backward(loss, {.retain_graph = true});
    check_close(h.grad(), 2 * sin(w0));
    check_close(w.grad(), 2 * sin(w0) * cos(w0));
    backward(loss);
    check_close(h.grad(), 4 * sin(w0));
    h.zero_grad();
    check_close(h.grad(), zeros<double>({3}));
}
TEST_CASE("register_hook: hooks see the whole gradient, in order, and may replace it") {
    variable<double, 1> w = w0.clone();
    const auto h = evaluate(w * 3);
    std::vector<double> seen;
    h.register_hook([&](const tensor<double, 1>& g) { seen.push_back(g.at(0)); });
    const auto doubling = h.register_hook([](const tensor<double, 1>& g) { return evaluate(2 * g); });
    h.register_hook([&](const auto& g) { seen.push_back(evaluate(sum(g)).item()); });
    const auto loss = evaluate(sum(h * h) + sum(h));  // two contributions: 2 h + 1
    backward(loss, {.retain_graph = true});
    CHECK(seen == std::vector<double>{4, 2 * (3 + 2 * 4.5)});
    check_close(w.grad(), 6 * (6 * w0 + 1));
    doubling.remove();
    doubling.remove();  // once is enough
    w.zero_grad();
    backward(loss);
    check_close(w.grad(), 3 * (6 * w0 + 1));
}
TEST_CASE("register_hook: a hook may remove itself, and one behind it") {
    variable<double, 1> w = w0.clone();
    using handle = detail::hook_handle<tensor<double, 1>, detail::variable_tag>;
    std::optional<handle> first, third;
    std::vector<int> calls;
    first = w.register_hook([&, n = std::vector<int>(100, 1)](const auto&) {
        first->remove();
        third->remove();
        calls.push_back(n[99]);  // what it captured is still there
    });
    w.register_hook([&](const auto&) { calls.push_back(2); });
    third = w.register_hook([&](const auto&) { calls.push_back(3); });
    w.register_hook([&](const auto&) { calls.push_back(4); });
    backward(sum(w * w));
    backward(sum(w * w));
    CHECK(calls == std::vector<int>{1, 2, 4, 2, 4});
}
TEST_CASE("register_hook: on a variable it comes before the gradient is added") {
    variable<double, 1> w = w0.clone();
    w.register_hook([](const auto& g) { return clip(g, -1, 1); });
    backward(sum(w * w));
    check_close(w.grad(), tensor<double, 1>{1, -1, 1});
    const auto wrong = w.register_hook([](const auto& g) { return g(slice(0, 2)); });
    CHECK_THROWS_AS(backward(sum(w * w)), shape_error);
    wrong.remove();
    w.zero_grad();
    backward(sum(w * w));
    check_close(w.grad(), tensor<double, 1>{1, -1, 1});
}
TEST_CASE("register_hook: under create_graph generic hooks are differentiated, others refused when they replace") {
    variable<double, 1> w = w0.clone();
    int calls = 0;
    w.register_hook([&](const tensor<double, 1>&) { ++calls; });
    const auto squared = w.register_hook([](const auto& g) { return g * g; });
    const auto [g] = autograd::grad(sum(w * w), ricci::tuple(w), {.create_graph = true});  // (2 w)^2
    check_close(g.value(), 4 * w0 * w0);
    squared.remove();
    backward(sum(g));
    check_close(w.grad(), 8 * w0);
    CHECK(calls == 2);
    w.register_hook([](const tensor<double, 1>& bar) { return evaluate(2 * bar); });
    CHECK_THROWS_AS(autograd::grad(sum(w * w), ricci::tuple(w), {.create_graph = true}), gradient_error);
}
TEST_CASE("backward: an output of any shape with its gradient") {
    variable<double, 1> w = w0.clone();
    const tensor<double, 1> v{1, 10, 100};
    backward(w * w, v);
    check_close(w.grad(), 2 * w0 * v);
    CHECK_THROWS_AS(backward(evaluate(w * w), ones<double>({2})), shape_error);
}
TEST_CASE("autograd::grad: several outputs, gradients of them, which may be variables") {
    variable<double, 1> w = w0.clone();
    const auto y = evaluate(w * w);
    const auto z = evaluate(sum(w));
    const tensor<double, 1> v{1, 10, 100};
    const auto [g] = autograd::grad(ricci::tuple(y, z), ricci::tuple(w), ricci::tuple(v, 7.0), {.retain_graph = true});
    check_close(g.value(), 2 * w0 * v + 7);
    // forward mode by two reverse passes: the derivative with respect to the cotangent
    variable<double, 1> u = zeros<double>({3});
    const auto [pulled] = autograd::grad(ricci::tuple(y), ricci::tuple(w), ricci::tuple(u), {.create_graph = true});
    const auto [pushed] = autograd::grad(ricci::tuple(pulled), ricci::tuple(u), ricci::tuple(v));
    check_close(pushed.value(), 2 * w0 * v);
}
TEST_CASE("retain_graph: the graph is gone after a pass without it, values that are held stay") {
    variable<double, 1> w = w0.clone();
    const auto h = evaluate(sum(w * w));
    const auto row = evaluate(expand(h, {1}));
    const auto loss = evaluate(sum(row * 3) + sum(w));
    backward(loss);
    check_close(w.grad(), 6 * w0 + 1);
    CHECK(h.item() == doctest::Approx(5.25).epsilon(1e-14));
    CHECK(row.value().at(0) == doctest::Approx(5.25).epsilon(1e-14));
    CHECK(loss.item() == doctest::Approx(17.25).epsilon(1e-14));
    CHECK(error_of([&] { backward(loss); }).find("backward through the graph a second time") != std::string::npos);
    check_close(w.grad(), 6 * w0 + 1);
    w.zero_grad();
    backward(sum(w * w));  // the variable itself is as good as before
    check_close(w.grad(), 2 * w0);
}
TEST_CASE("retain_graph: as in PyTorch, create_graph implies it, and what passes share is freed by the first") {
    variable<double, 1> w = w0.clone();
    const auto shared = evaluate(sin(w));
    const auto a = evaluate(sum(shared * shared)), b = evaluate(sum(shared * 3));
    backward(a, {.retain_graph = true});
    const auto [slope] = autograd::grad(a, ricci::tuple(w), {.create_graph = true});
    check_close(slope.value(), 2 * sin(w0) * cos(w0));
    w.zero_grad();
    backward(b);  // the last one through sin, too
    check_close(w.grad(), 3 * cos(w0));
    CHECK_THROWS_AS(backward(a), gradient_error);
    CHECK_THROWS_AS(autograd::grad(b, w), gradient_error);
    const auto c = evaluate(sum(w * w * w));
    const auto [first] = autograd::grad(c, ricci::tuple(w), {.retain_graph = false, .create_graph = true});
    check_close(first.value(), 3 * w0 * w0);
    CHECK_THROWS_AS(autograd::grad(c, w), gradient_error);
    const auto d = evaluate(sum(w * w));
    check_close(autograd::grad(d, w).value(), 2 * w0);
    CHECK_THROWS_AS(autograd::grad(d, w), gradient_error);
}
TEST_CASE("detect_anomaly: the op whose derivative made a NaN is named") {
    variable<double, 1> w = tensor<double, 1>{1, 0, 4};
    const auto loss = evaluate(sum(evaluate(sqrt(w)) * evaluate(w * 0)));  // 0 * inf at w = 0
    backward(loss, {.retain_graph = true});
    CHECK(std::isnan(w.grad().at(1)));
    const autograd::detect_anomaly guard;
    const auto text = error_of([&] { backward(loss); });
    CHECK_MESSAGE(text.find("sqrt(a)") != std::string::npos, text);
    w.zero_grad();
    backward(sum(w * w));
    check_close(w.grad(), tensor<double, 1>{2, 0, 8});
}
TEST_CASE("threads: graphs are built and run in several at once; one graph is read by several") {
    variable<double, 1> shared = full<double>({1000}, 0.5);
    const auto lazy = sum(evaluate(sin(shared)));  // its value is put off until someone asks
    const auto total = evaluate(lazy);
    std::vector<double> totals(4), slopes(4);
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; ++k)
        threads.emplace_back([&, k] {
            totals[k] = total.item();
            variable<double, 1> own = full<double>({100}, k + 1);
            for (int i = 0; i < 20; ++i) backward(sum(own * own) * shared.value().at(0));
            slopes[k] = own.grad().at(7);
        });
    for (auto& t : threads) t.join();
    for (int k = 0; k < 4; ++k) {
        CHECK(totals[k] == doctest::Approx(1000 * std::sin(0.5)).epsilon(1e-13));
        CHECK(slopes[k] == doctest::Approx(20 * (k + 1)).epsilon(1e-13));
    }
}
TEST_CASE("autograd::grad of an array, along the gradient of what follows") {
    variable<double, 1> x = tensor<double, 1>{1, 2};
    const tensor<double, 1> along{1, 10};
    CHECK(allclose(autograd::grad(x * x, x, along).detach(), tensor<double, 1>{2, 40}));
    const auto [first] = autograd::grad(x * x * x, std::tuple(x), along, {.create_graph = true});
    CHECK(allclose(autograd::grad(sum(first), x).detach(), tensor<double, 1>{6, 120}));
}
