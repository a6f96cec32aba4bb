// Functions with derivative rules of their own. The rules give a multiple of the true derivative, so that a test sees
// whether they were used; the expectations are closed forms.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 1> x0{0.5, -1, 2};
const tensor<double, 1> v0{0.1, 0.2, 0.3};

// x exp(x), the backward rule doubled
const auto twice = custom_vjp([](auto x) { return x * exp(x); },
                              [](auto x) {
                                  const auto e = evaluate(exp(x));
                                  return ricci::tuple(x * e, x, e);
                              },
                              [](auto x, auto e, auto bar) { return 2 * bar * e * (x + 1); });
// a sin(b), the forward rule tripled
const auto thrice = custom_jvp([](auto a, auto b) { return a * sin(b); },
                               [](auto primals, auto tangents) {
                                   const auto [a, b] = primals;
                                   const auto [da, db] = tangents;
                                   return ricci::tuple(a * sin(b), 3 * (da * sin(b) + a * cos(b) * db));
                               });

}  // namespace

TEST_CASE("custom_vjp: value, gradient, second order") {
    auto loss = [](auto x) { return sum(twice(x)); };
    check_close(twice(x0), x0 * exp(x0));
    check_close(grad(loss)(x0), 2 * (x0 + 1) * exp(x0));
    check_close(grad([&](auto x) { return sum(grad(loss)(x)); })(x0), 2 * (x0 + 2) * exp(x0));
    check_close(hvp(loss, x0, v0), 2 * (x0 + 2) * exp(x0) * v0);
}
TEST_CASE("custom_vjp: batches") {
    check_close(vmap(twice)(x0), x0 * exp(x0));
    check_close(vmap(grad([](auto x) { return twice(x); }))(x0), 2 * (x0 + 1) * exp(x0));
    check_close(grad([](auto x) { return sum(vmap(twice)(x)); })(x0), 2 * (x0 + 1) * exp(x0));
}
TEST_CASE("custom_vjp: several arguments, one of them shared by a batch") {
    const auto product = custom_vjp([](auto a, auto b) { return sum(a * b); },
                                    [](auto a, auto b) { return ricci::tuple(sum(a * b), a, b); },
                                    [](auto a, auto b, auto bar) { return ricci::tuple(5 * bar * b, 7 * bar * a); });
    check_close(grad(product)(x0, v0), 5 * v0);
    check_close(grad([&](auto b, auto a) { return product(a, b); })(v0, x0), 7 * x0);
    const auto rows = spread({4, 3});
    auto total = [&](auto w) { return sum(vmap(product, in_axes(none, 0))(w, rows)); };
    check_close(total(x0), sum(rows * x0));
    check_close(grad(total)(x0), 5 * sum(rows, 0));
}
TEST_CASE("custom_vjp: variables, and create_graph through the saved values") {
    variable<double, 1> w = x0.clone();
    const auto [slope] = autograd::grad(sum(twice(w)), ricci::tuple(w), {.create_graph = true});
    check_close(slope.value(), 2 * (x0 + 1) * exp(x0));
    backward(sum(slope));
    check_close(w.grad(), 2 * (x0 + 2) * exp(x0));
}
TEST_CASE("custom_vjp: what is saved may be a structure, as in JAX") {
    const auto nested = custom_vjp([](auto x) { return x * exp(x); },
                                   [](auto x) { return ricci::tuple(x * exp(x), ricci::tuple(x, exp(x))); },
                                   [](auto saved, auto bar) {
                                       const auto [x, e] = saved;
                                       return 2 * bar * e * (x + 1);
                                   });
    variable<double, 1> w = x0.clone();
    const auto [slope] = autograd::grad(sum(nested(w)), ricci::tuple(w), {.create_graph = true});
    check_close(slope.value(), 2 * (x0 + 1) * exp(x0));
    backward(sum(slope));
    check_close(w.grad(), 2 * (x0 + 2) * exp(x0));
    check_close(vmap(grad([&](auto x) { return nested(x); }))(x0), 2 * (x0 + 1) * exp(x0));
}
TEST_CASE("custom_vjp: an adjoint of the wrong shape is refused") {
    const auto wrong = custom_vjp([](auto x) { return x * 2; }, [](auto x) { return ricci::tuple(x * 2, x); },
                                  [](auto, auto bar) { return bar(slice(0, 2)); });
    CHECK_THROWS_AS(grad([&](auto x) { return sum(wrong(x)); })(x0), shape_error);
}
TEST_CASE("custom_jvp: forward, and backward by transposition") {
    check_close(thrice(x0, v0), x0 * sin(v0));
    const auto [value, tangent] = jvp(thrice, ricci::tuple(x0, v0), ricci::tuple(v0, x0));
    check_close(value, x0 * sin(v0));
    check_close(tangent, 3 * (v0 * sin(v0) + x0 * cos(v0) * x0));
    check_close(grad([](auto a) { return sum(thrice(a, v0)); })(x0), 3 * sin(v0));
    check_close(grad([](auto b) { return sum(thrice(x0, b)); })(v0), 3 * x0 * cos(v0));
}
TEST_CASE("custom_jvp: batches") {
    auto push = [](auto a, auto b) { return std::get<1>(jvp(thrice, ricci::tuple(a, b), ricci::tuple(b, a))); };
    check_close(vmap(push)(x0, v0), 3 * (v0 * sin(v0) + x0 * cos(v0) * x0));
    check_close(vmap(grad([](auto a, auto b) { return thrice(a, b); }))(x0, v0), 3 * sin(v0));
    auto shared = [](auto a) { return sum(vmap(thrice, in_axes(none, 0))(sum(a), v0)); };
    check_close(grad(shared)(x0), 3 * sum(sin(v0)) + 0 * x0);
}
TEST_CASE("checkpoint: the same derivatives, backward from the arguments") {
    auto f = [](auto a) { return sin(a) * a; };
    auto kept = [&](auto x) { return sum(checkpoint(f, x)); };
    check_close(grad(kept)(x0), cos(x0) * x0 + sin(x0));
    check_close(grad([&](auto x) { return sum(grad(kept)(x)); })(x0), 2 * cos(x0) - sin(x0) * x0);
    check_close(vmap(grad([&](auto x) { return checkpoint(f, x); }))(x0), cos(x0) * x0 + sin(x0));
    check_close(vmap(grad(checkpoint(f)))(x0), cos(x0) * x0 + sin(x0));
    variable<double, 1> w = x0.clone();
    backward(sum(checkpoint(f, w)));
    check_close(w.grad(), cos(x0) * x0 + sin(x0));
}
TEST_CASE("checkpoint: integers, truths and numbers among the arguments are constants") {
    const tensor<int, 1> k{2, 0, 2};
    const auto picked = [](auto x, auto at) { return sum(sin(x(at)) * x); };
    const auto kept = [&](auto x) { return checkpoint(picked, x, k); };
    const auto plain = [&](auto x) { return picked(x, k); };
    check_close(grad(kept)(x0), grad(plain)(x0));
    check_close(grad([&](auto x) { return checkpoint([&](auto at, auto y) { return picked(y, at); }, k, x); })(x0),
                grad(plain)(x0));
    check_close(hessian(kept)(x0), hessian(plain)(x0));
    check_close(std::get<1>(jvp(kept, x0, v0)), std::get<1>(jvp(plain, x0, v0)));
    const auto chosen = [](auto x, auto yes, auto n) { return sum(where(yes, x * x, n * x)); };
    const tensor<bool, 1> yes{true, false, true};
    check_close(grad([&](auto x) { return checkpoint(chosen, x, yes, 3); })(x0), tensor{1.0, 3.0, 4.0});
    // mapped and shared ones, in batches of gradients and gradients of batches
    const auto rows = spread({4, 3});
    const auto places = evaluate(stack(ricci::tuple(k, flip(k), k, k)));
    const auto of_both = vmap(grad([&](auto x, auto at) { return checkpoint(picked, x, at); }))(rows, places);
    check_close(of_both, vmap(grad(picked))(rows, places));
    const auto total = [&](auto axes) {
        return grad([&, axes](auto x) {
            return sum(vmap([&](auto y, auto at) { return checkpoint(picked, y, at); }, axes)(x, k));
        });
    };
    check_close(total(in_axes(0, none))(rows), vmap(grad(plain))(rows));
    check_close(grad([&](auto x) { return sum(vmap([&](auto at) { return checkpoint(picked, x, at); })(places)); })(x0),
                grad([&](auto x) { return sum(vmap([&](auto at) { return picked(x, at); })(places)); })(x0));
}
TEST_CASE("checkpoint: forward mode") {
    const auto f = [](auto a, auto b) { return sin(a) * b; };
    const auto kept = checkpoint(f);
    const auto [value, tangent] = jvp(kept, ricci::tuple(x0, v0), ricci::tuple(v0, x0));
    check_close(value, f(x0, v0));
    check_close(tangent, cos(x0) * v0 * v0 + sin(x0) * x0);
    check_close(jacfwd([&](auto a) { return kept(a, v0); })(x0), diag(evaluate(cos(x0) * v0)));
    const auto loss = [&](auto a) { return sum(kept(a, a)); };
    const auto plain = [&](auto a) { return sum(f(a, a)); };
    check_close(jacfwd(jacfwd(loss))(x0), hessian(plain)(x0));
    check_close(jacrev(jacfwd(loss))(x0), hessian(plain)(x0));
    check_close(hvp(loss, x0, v0), hvp(plain, x0, v0));
    const auto rows = spread({4, 3});
    const auto along = [](auto g) { return [g](auto a) { return std::get<1>(jvp(g, a, a * a)); }; };
    check_close(vmap(along(loss))(rows), vmap(along(plain))(rows));
    const auto mapped = [&](auto a) { return sum(vmap(kept, in_axes(0, none))(rows, a)); };
    check_close(std::get<1>(jvp(mapped, x0, v0)), sum(sin(rows) * v0));
    const auto largest = checkpoint([](auto a) { return topk(a * a, 2); });  // integers beside
    check_close(std::get<0>(std::get<1>(jvp(largest, x0, v0))), tensor{2 * 2 * 0.3, -2 * 0.2});
}
TEST_CASE("custom_jvp: integers among the arguments are constants") {
    const auto picked = custom_jvp([](auto x, auto at) { return sin(x(at)); },
                                   [](auto primals, auto tangents) {
                                       const auto [x, at] = primals;
                                       return ricci::tuple(sin(x(at)), 3 * cos(x(at)) * std::get<0>(tangents)(at));
                                   });
    const tensor<int, 1> k{2, 0, 2};
    const auto expected = evaluate(tensor{1.0, 0.0, 2.0} * 3 * cos(x0));
    check_close(grad([&](auto x) { return sum(picked(x, k)); })(x0), expected);
    check_close(std::get<1>(jvp([&](auto x) { return sum(picked(x, k)); }, x0, v0)), sum(expected * v0));
    const auto rows = evaluate(stack(ricci::tuple(x0, x0)));
    const auto places = evaluate(stack(ricci::tuple(k, flip(k))));
    check_close(vmap(grad([&](auto x, auto at) { return sum(picked(x, at)); }))(rows, places),
                stack(ricci::tuple(expected, expected)));
}
TEST_CASE("checkpoint: a result of integers beside one with derivatives") {
    const auto f = [](auto x) {
        const auto [largest, places] = checkpoint([](auto a) { return topk(a * a, 2); }, x);
        return sum(largest);
    };
    const tensor v{1.0, -3.0, 2.0};
    CHECK(array_equal(grad(f)(v), tensor{0.0, -6.0, 4.0}));
}

TEST_CASE("checkpoint: a function that writes to its argument is refused, one that writes to a copy is not") {
    auto writes = [](auto x) {
        x(1) = x(0) * x(0);
        return sum(sin(x));
    };
    auto copies = [&](auto x) { return writes(x.clone()); };
    auto of = [](auto f) { return [f](auto x) { return checkpoint(f, x * x); }; };
    CHECK_THROWS_WITH_AS(grad(of(writes))(x0), doctest::Contains("[checkpoint] the function writes to an argument"),
                         gradient_error);
    const auto y = evaluate(square(x0));
    auto expected = evaluate(cos(y) * 2 * x0);
    expected(0) += cos(y(0) * y(0)) * 4 * pow(x0(0), 3);
    expected(1) = 0;
    check_close(grad(of(copies))(x0), expected);
}

TEST_CASE("checkpoint: the function runs once forward and once more backward") {
    int calls = 0;
    auto counted = [&calls](auto a) {
        ++calls;
        return sin(a);
    };
    variable<double, 1> w = x0.clone();
    const auto y = evaluate(sum(checkpoint(counted, w)));
    const int before = calls;
    backward(y);
    CHECK(calls == before + 1);
    check_close(w.grad(), cos(x0));
}
TEST_CASE("stop_gradient: a constant of every derivative") {
    check_close(grad([](auto x) { return sum(x * stop_gradient(x)); })(x0), x0);
    check_close(std::get<1>(jvp([](auto x) { return x * stop_gradient(x * x); }, x0, v0)), x0 * x0 * v0);
    check_close(vmap(grad([](auto x) { return x * stop_gradient(sin(x)); }))(x0), sin(x0));
    auto inner = [](auto x) { return grad([](auto y) { return sum(y * y * stop_gradient(y)); })(x); };
    check_close(grad([&](auto x) { return sum(inner(x)); })(x0), 2 * x0);
    variable<double, 1> w = x0.clone();
    backward(sum(w * stop_gradient(w)));
    check_close(w.grad(), x0);
}

TEST_CASE("checkpoint: the backward pass draws the numbers of the forward one") {
    generator g(1);
    const auto dropped = [&g](auto a) { return a * a * rand_like(a, g); };
    const auto f = [dropped](auto x) { return sum(checkpoint(dropped, x)); };
    const auto x = ones<double>({3});
    const auto [value, slope] = value_and_grad(f)(x);
    CHECK(sum(slope).item() == doctest::Approx(2 * value.item()).epsilon(1e-14));
    const auto [again, change] = jvp(f, x, x);
    CHECK(change.item() == doctest::Approx(2 * again.item()).epsilon(1e-14));
    CHECK(again.item() != value.item());  // another call draws other numbers
    const auto second = grad([&](auto v) { return sum(grad(f)(v)); })(x);
    CHECK(min(second).item() >= 0);
    variable<double, 1> w{1, 1, 1};
    const auto y = evaluate(f(w));
    backward(y);
    CHECK(sum(w.grad()).item() == doctest::Approx(2 * y.value().item()).epsilon(1e-14));
    generator own(7), other(7);  // and takes as many as f does
    checkpoint([&own](auto a) { return a * rand_like(a, own); }, x);
    rand_like(x, other);
    CHECK(array_equal(rand<double>({2}, own), rand<double>({2}, other)));
}
TEST_CASE("custom_vjp: what the forward rule drew is the same under create_graph") {
    generator g(3);
    const auto f = custom_vjp([&g](auto x) { return x * rand_like(x, g); },
                              [&g](auto x) {
                                  const auto mask = evaluate(rand_like(x, g));
                                  return ricci::tuple(evaluate(x * mask), mask);
                              },
                              [](auto mask, auto bar) { return mask * bar; });
    const variable<double, 1> x{1, 2, 3};
    const auto y = evaluate(f(x));
    const auto slope = autograd::grad(sum(y), x, {.create_graph = true});
    CHECK(allclose(slope.value() * x.value(), y.value(), 1e-14));
}
TEST_CASE("custom_jvp: a tangent of another shape than the value's is refused") {
    const auto f =
        custom_jvp([](auto x) { return 2 * x; },
                   [](auto primals, auto tangents) {
                       return ricci::tuple(2 * std::get<0>(primals), 2 * evaluate(std::get<0>(tangents)(slice(0, 2))));
                   });
    const auto x = ones<double>({3});
    CHECK_THROWS_WITH_AS(jvp([&](auto v) { return f(v) * v; }, x, x),
                         "[custom_jvp] the rule gave a tangent of shape (2,) for a value of shape (3,)", shape_error);
}
TEST_CASE("checkpoint: a function that differentiates variables of its own runs again as it ran first") {
    const variable<double, 1> w{2, 3};
    const auto scaled = [](auto a) {
        const variable<double, 1> z{1, 2};
        backward(sum(z * z));
        return a * z.grad();
    };
    backward(sum(checkpoint(scaled, w)));
    CHECK(array_equal(w.grad(), tensor{2.0, 4.0}));
}
TEST_CASE("checkpoint: another seed than in the forward pass is refused") {
    generator g(3);
    const variable<double, 1> w{2, 3};
    const auto y = evaluate(sum(checkpoint([&g](auto a) { return a * rand_like(a, g); }, w)));
    g = generator(4);
    CHECK_THROWS_AS(backward(y), value_error);
}
TEST_CASE("custom_vjp: a saved value that was overwritten before backward is refused") {
    auto c = asarray({1.0, 2.0, 3.0});
    variable<double, 1> p = ones<double>({3});
    const auto g = custom_vjp([&](auto a) { return a * c; }, [&](auto a) { return ricci::tuple(a * c, c, 2); },
                              [](auto saved, int, auto bar) { return saved * bar; });
    const auto early = evaluate(sum(g(p))), late = evaluate(sum(g(p)));
    backward(early);
    CHECK(array_equal(p.grad(), tensor<double, 1>{1, 2, 3}));
    c *= 100.0;
    CHECK_THROWS_AS(backward(late), gradient_error);
}
