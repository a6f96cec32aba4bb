// The imperative style: variables, backward, accumulated gradients, autograd::grad without a graph.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 1> w0{0.5, -1, 2};

template <class E>
double value_of(const E& e) {
    return evaluate(e).item();
}

}  // namespace

TEST_CASE("variable: backward gives the gradient, and adds to it the next time") {
    variable<double, 1> w = w0.clone();
    check_close(w.grad(), zeros<double>({3}));
    const auto loss = evaluate(sum(sin(w) * w));
    backward(loss, {.retain_graph = true});
    const auto slope = evaluate(cos(w0) * w0 + sin(w0));
    check_close(w.grad(), slope);
    backward(loss);
    check_close(w.grad(), 2 * slope);
    backward(mean(w));
    check_close(w.grad(), 2 * slope + 1.0 / 3);
    w.zero_grad();
    check_close(w.grad(), zeros<double>({3}));
    backward(sum(w * w));
    check_close(w.grad(), 2 * w0);
}
TEST_CASE("variable: a linear regression finds the coefficients that made the data") {
    const auto x = spread({40, 3}, 2);
    const tensor<double, 1> truth{1.5, -2, 0.25};
    const auto y = matmul(x, truth);
    variable<double, 1> w = zeros<double>({3});
    double first = 0, last = 0;
    for (int k = 0; k < 300; ++k) {
        const auto loss = mean(square(matmul(x, w) - y));
        w.zero_grad();
        backward(loss);
        w.value() -= 0.5 * w.grad();
        last = value_of(loss);
        if (k == 0) first = last;
    }
    CHECK(first > 0.1);
    CHECK(last < 1e-20);
    check_close(w.value(), truth, 1e-9);
}
TEST_CASE("variable: several of several shapes, and constants") {
    variable<double, 2> w = spread({3, 2}, 1);
    variable<double, 1> b = spread({2}, 2);
    variable<double, 0> scale = tensor<double, 0>(0.7);
    const auto x = spread({5, 3}, 3);
    auto model = [&](const auto& ww, const auto& bb, const auto& ss) {
        return sum(square(tanh(matmul(x, ww) + bb) * ss));
    };
    backward(model(w, b, scale));
    const auto one = tensor<double, 0>(1);
    const auto at = std::make_tuple(spread({3, 2}, 1), spread({2}, 2), tensor<double, 0>(0.7));
    check_close(w.grad(), difference_gradient<0>(model, one, at), difference_tolerance);
    check_close(b.grad(), difference_gradient<1>(model, one, at), difference_tolerance);
    check_close(scale.grad(), difference_gradient<2>(model, one, at), difference_tolerance);
}
TEST_CASE("variable: views, reductions and repeated use of one intermediate value") {
    variable<double, 2> w = spread({3, 4});
    auto f = [](const auto& v) {
        const auto h = evaluate(exp(v) * v);
        return sum(h(0) * h(all, slice(none, none, -1))(1)) + sum(max(h, 1)) + prod(h(2)) + var(h);
    };
    backward(f(w));
    check_close(w.grad(), difference_gradient<0>(f, tensor<double, 0>(1), std::make_tuple(spread({3, 4}))),
                difference_tolerance);
}
TEST_CASE("variable: copies are handles on the same variable") {
    variable<double, 1> w = w0.clone();
    const auto same = w;
    backward(sum(same * w));
    check_close(w.grad(), 2 * w0);
    check_close(same.grad(), 2 * w0);
}
TEST_CASE("variable: float32") {
    variable<float, 1> w = tensor<float, 1>{0.5f, -1, 2};
    const auto loss = sum(w * w * 2.0);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(loss)>::value_type, float>);
    backward(loss);
    check_close(w.grad(), 4 * w0, 1e-6);
}
TEST_CASE("variable: a graph of a hundred thousand steps neither recurses nor leaks into the next") {
    variable<double, 0> w = tensor<double, 0>(1);
    auto h = evaluate(w * 1);
    for (int k = 0; k < 100000; ++k) h = evaluate(h * 0.9999);
    backward(h);
    CHECK(w.grad().item() == doctest::Approx(std::pow(0.9999, 100000)).epsilon(1e-9));
}
TEST_CASE("variable: a value that changed in place before backward is refused") {
    variable<double, 1> w = w0.clone();
    auto k = w0.clone();
    const auto loss = sum(k * w);
    k(0) = 7.0;
    CHECK_THROWS_AS(backward(loss), gradient_error);
    const auto squares = sum(w * w);
    w.value() -= 0.1;
    CHECK_THROWS_AS(backward(squares), gradient_error);
    const auto again = sum(w * w);  // recorded after the change
    w.zero_grad();
    backward(again);
    check_close(w.grad(), 2 * (w0 - 0.1));
}
TEST_CASE("variable: a result that its rule needs and that changed in place is refused") {
    const tensor a{{2.0, 1.0}, {0.0, 4.0}};
    auto [y, pull] = vjp([](auto m) { return linalg::inv(m); }, a);
    const auto before = pull(ones({2, 2}));
    check_close(
        before,
        difference_gradient<0>([](auto m) { return sum(linalg::inv(m)); }, tensor<double, 0>(1), std::make_tuple(a)),
        difference_tolerance);
    y *= 2.0;
    CHECK_THROWS_AS(pull(ones({2, 2})), gradient_error);

    variable<double, 2> w = a.clone();
    const auto z = standardize(w, -1);
    const auto loss = sum(z * a);
    auto held = z.value();
    held += 5.0;
    CHECK_THROWS_AS(backward(loss), gradient_error);
}
TEST_CASE("variable: a gradient is nobody else's array") {
    variable<double, 2> w = tensor{{1.0, 2.0}, {3.0, 4.0}};
    auto bar = ones({2, 2});
    backward(permute(w, {1, 0}), bar);
    bar *= 0.0;
    CHECK(array_equal(w.grad(), ones({2, 2})));

    variable<double, 1> u = w0.clone(), v = w0.clone();
    const auto both = custom_vjp([](auto p, auto q) { return evaluate(p + q); },
                                 [](auto p, auto q) { return ricci::tuple(evaluate(p + q)); },
                                 [](auto c) { return ricci::tuple(c, c); });
    backward(sum(2.0 * both(u, v)));
    auto gradient = u.grad();
    gradient *= 3.0;
    CHECK(array_equal(u.grad(), full_like(w0, 6.0)));
    CHECK(array_equal(v.grad(), full_like(w0, 2.0)));
}
TEST_CASE("variable: a refused backward does not spoil the next one through the same values") {
    variable<double, 1> w = w0.clone();
    auto k = w0.clone();
    const auto h = evaluate(w * 2);
    const auto product = evaluate(h * k);
    const auto part = sum(product);
    const auto loss = evaluate(sum(h * h) + part);
    k *= 3.0;
    CHECK_THROWS_AS(backward(loss), gradient_error);
    w.zero_grad();
    backward(sum(h * 5));
    check_close(w.grad(), full<double>({3}, 10));
}
TEST_CASE("variable: the value of a loss is that of the time when it was written") {
    variable<double, 1> w = w0.clone();
    const auto loss = evaluate(sum(w * w));
    w.value() += 1.0;
    try {
        CHECK(loss.item() == doctest::Approx(5.25).epsilon(1e-14));
    } catch (const gradient_error&) {  // refused
    }
}
TEST_CASE("autograd::grad: gradients as values; .grad() is left alone") {
    variable<double, 1> w = w0.clone();
    variable<double, 0> b = tensor<double, 0>(3);
    const auto loss = sum(w * w * b);
    const auto [w_bar, b_bar] = autograd::grad(loss, ricci::tuple(w, b), {.retain_graph = true});
    check_close(w_bar.value(), 6 * w0);
    CHECK(b_bar.item() == doctest::Approx(5.25).epsilon(1e-14));
    check_close(w.grad(), zeros<double>({3}));
    const auto [again] = autograd::grad(loss, ricci::tuple(w));
    check_close(again.value(), 6 * w0);
}
TEST_CASE("autograd::grad: with respect to intermediate values") {
    variable<double, 1> w = w0.clone();
    const auto h = evaluate(sin(w));
    const auto loss = sum(h * h);
    const auto [h_bar, w_bar] = autograd::grad(loss, ricci::tuple(h, w));
    check_close(h_bar.value(), 2 * sin(w0));
    check_close(w_bar.value(), 2 * sin(w0) * cos(w0));
}
TEST_CASE("autograd::grad: an input that the output does not depend on") {
    variable<double, 1> w = w0.clone(), unused = w0.clone();
    const auto loss = sum(w * w);
    CHECK_THROWS_AS(autograd::grad(loss, ricci::tuple(w, unused), {.retain_graph = true}), gradient_error);
    const auto [w_bar, zero] =
        autograd::grad(loss, ricci::tuple(w, unused), {.retain_graph = true, .allow_unused = true});
    check_close(w_bar.value(), 2 * w0);
    check_close(zero.value(), zeros<double>({3}));
    backward(loss);  // nothing is left over from the refusal
    check_close(w.grad(), 2 * w0);
    check_close(unused.grad(), zeros<double>({3}));
}
TEST_CASE("autograd::grad: what it was not asked for is not left behind for the next backward") {
    variable<double, 1> w = w0.clone();
    variable<double, 0> b = tensor<double, 0>(3);
    const auto loss = evaluate(sum(w * w * b));
    autograd::grad(loss, ricci::tuple(w), {.retain_graph = true});
    autograd::grad(loss, ricci::tuple(b), {.create_graph = true});
    const auto [first, second] = autograd::grad(loss, ricci::tuple(w, w), {.retain_graph = true});  // asked for twice
    check_close(first.value(), 6 * w0);
    check_close(second.value(), 6 * w0);
    backward(loss);
    check_close(w.grad(), 6 * w0);
    CHECK(b.grad().item() == doctest::Approx(5.25).epsilon(1e-14));
}
TEST_CASE("variable: a value read between recording and backward, step after step, through views") {
    variable<double, 1> w = w0.clone();
    for (int k = 0; k < 3; ++k) {
        const auto loss = evaluate(mean(w(slice(0, 2)) * w(slice(1, 3))));
        const double seen = loss.item();
        w.zero_grad();
        backward(loss);
        const auto v = w.value();
        CHECK(seen == doctest::Approx((v.at(0) * v.at(1) + v.at(1) * v.at(2)) / 2).epsilon(1e-14));
        check_close(w.grad(), tensor<double, 1>{v.at(1) / 2, (v.at(0) + v.at(2)) / 2, v.at(1) / 2});
        w.value() -= 0.1 * w.grad();
    }
}
TEST_CASE("variable: a map that depends on a variable through a comparison alone") {
    variable<double, 1> w = w0.clone();
    backward(sum(where(w > 0, 1.0, 0.0) * w));
    check_close(w.grad(), tensor<double, 1>{1, 0, 1});
}
TEST_CASE("variable: a computed value keeps no gradient") {
    variable<double, 1> w = w0.clone();
    const auto h = evaluate(w * 2);
    backward(sum(h));
    CHECK_THROWS_AS(h.grad(), gradient_error);
}
TEST_CASE("no_grad: what transforms under it compute is constant, too") {
    const tensor<double, 1> x{1, 2, 3};
    const auto through = [](auto transform) {
        return [transform](auto v) {
            const auto c = [&] {
                const no_grad guard;
                return transform(v);
            }();
            return sum(v * c);
        };
    };
    const auto cube = [](auto z) { return sum(z * z * z); };
    CHECK(array_equal(grad(through(vmap([](auto r) { return r * r; })))(x), x * x));
    CHECK(array_equal(grad(through(grad(cube)))(x), 3.0 * x * x));
    CHECK(
        array_equal(grad(through([&](auto v) { return std::get<1>(jvp([](auto z) { return z * z * z; }, v, v)); }))(x),
                    3.0 * x * x * x));
    const variable<double, 1> w{1, 2, 3};
    const no_grad guard;
    CHECK_FALSE(is_grad_enabled());
    CHECK_FALSE(vmap([](auto r) { return r * r; })(w).requires_grad());
    const auto slope = grad(cube)(w);
    CHECK_FALSE(slope.requires_grad());
    CHECK(array_equal(slope.value(), 3.0 * x * x));
    const enable_grad again;
    CHECK(is_grad_enabled());
    CHECK(vmap([](auto r) { return r * r; })(w).requires_grad());
}
TEST_CASE("hooks record nothing, unless create_graph asks for it") {
    variable<double, 1> w{1, 2};
    w.register_hook([&](const tensor<double, 1>& g) { w -= 0.5 * g; });
    backward(sum(w * w));
    CHECK(array_equal(w.value(), zeros<double>({2})));
}
