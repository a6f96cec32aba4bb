// Functions with derivative rules of their own of structures: tuples, structs, lists and numbers among arguments,
// results and what is saved. Rules give a multiple of the true derivative, so that a test sees whether they were used.
#include "derivatives.hpp"
#include "layer.hpp"

using namespace derivative_checks;

namespace custom_structures {

const tensor<double, 1> x0{0.5, -1, 2};
const tensor<double, 1> v0{0.1, 0.2, 0.3};

// (weight x^n, bias + x) of a struct, an array and a number; adjoints and tangents doubled
const auto value = [](const auto& l, const auto& x, int n) {
    return ricci::tuple(evaluate(l.weight * pow(x, n)), layer{evaluate(l.bias + x), x});
};
const auto doubled = custom_vjp(
    value, [](const auto& l, const auto& x, int n) { return ricci::tuple(value(l, x, n), l, ricci::tuple(x, n)); },
    [](const auto& l, const auto& saved, const auto& bars) {
        const auto& [x, n] = saved;
        const auto& [p, rest] = bars;
        return ricci::tuple(layer{evaluate(2 * p * pow(x, n)), evaluate(2 * rest.weight)},
                            2 * (p * l.weight * n * pow(x, n - 1) + rest.weight + rest.bias), none);
    },
    [](const auto& primals, const auto& tangents) {
        const auto& [l, x, n] = primals;
        const auto& [dl, dx, dn] = tangents;
        static_assert(std::is_same_v<std::remove_cvref_t<decltype(n)>, int>);
        const auto moved = evaluate(2 * (dl.weight * pow(x, n) + l.weight * n * pow(x, n - 1) * dx) + dn);
        return ricci::tuple(value(l, x, n), ricci::tuple(moved, layer{evaluate(2 * (dl.bias + dx)), 2 * dx}));
    });
const auto loss = [](const auto& l, const auto& x) {
    const auto [p, rest] = doubled(l, x, 3);
    return sum(p + rest.weight * rest.weight + rest.bias);
};
const layer model{x0, v0};

// the sum of products of a list's elements with x, tangents tripled
const auto product_of = [](const auto& list, const auto& x) {
    std::vector<decltype(evaluate(list[0] * x))> each;
    for (const auto& a : list) each.push_back(evaluate(a * x));
    return each;
};
const auto tripled = custom_jvp(product_of, [](const auto& primals, const auto& tangents) {
    const auto& [list, x] = primals;
    const auto& [dlist, dx] = tangents;
    std::vector<decltype(evaluate(list[0] * dx + dlist[0] * x))> moved;
    for (std::size_t i = 0; i < list.size(); ++i) moved.push_back(evaluate(3 * (list[i] * dx + dlist[i] * x)));
    return ricci::tuple(product_of(list, x), moved);
});
const auto squares = [](const auto& list, const auto& x) {
    const auto all = tripled(list, x);
    return sum(all[0] * all[0]) + sum(all[1]);
};
const std::vector<tensor<double, 1>> list{x0, v0};

}  // namespace custom_structures
using namespace custom_structures;

TEST_CASE("custom_vjp: a struct, a number, and a tuple with a struct for a result") {
    const auto [p, rest] = doubled(model, x0, 2);
    check_close(p, pow(x0, 3));
    check_close(rest.weight, v0 + x0);
    const auto [l_bar, x_bar] = grad(loss, argnums<0, 1>)(model, v0);
    check_close(l_bar.weight, 2 * pow(v0, 3));
    check_close(l_bar.bias, 4 * (v0 + v0));
    check_close(x_bar, 2 * (3 * x0 * square(v0) + 2 * (v0 + v0) + 1));
    const auto [y, t] = jvp(loss, ricci::tuple(model, v0), ricci::tuple(layer{v0, x0}, v0));
    check_close(t, sum(2 * (v0 * pow(v0, 3) + 3 * x0 * pow(v0, 3)) + 2 * 2 * v0 * (2 * (x0 + v0)) + 2 * v0));
}
TEST_CASE("custom_vjp: structures in batches and at second order") {
    const auto rows = spread({4, 3});
    const auto each = vmap(grad(loss), in_axes(none, 0))(model, rows);
    check_close(each.weight, 2 * pow(rows, 3));
    check_close(each.bias, 4 * (v0 + rows));
    const auto total = [&](const auto& l) { return sum(vmap(loss, in_axes(none, 0))(l, rows)); };
    check_close(grad(total)(model).weight, 2 * sum(pow(rows, 3), 0));
    // of the gradient 2 (3 w x^2 + 2 (b + x) + 1) by x: forward is differentiated, and of variables the rule is used
    // again
    const auto slope = [](const auto& x) { return sum(grad([&](const auto& v) { return loss(model, v); })(x)); };
    check_close(grad(slope)(v0), 2 * (6 * x0 * v0 + 2));
    variable<double, 1> w = v0.clone();
    const auto [first] = autograd::grad(loss(model, w), ricci::tuple(w), {.create_graph = true});
    backward(sum(first));
    check_close(w.grad(), 2 * (6 * x0 * v0 + 4));
}
TEST_CASE("custom_jvp: lists of arrays, in both modes and in batches") {
    check_close(tripled(list, v0)[1], v0 * v0);
    const auto [list_bar, x_bar] = grad(squares, argnums<0, 1>)(list, v0);
    check_close(list_bar[0], 3 * 2 * x0 * v0 * v0);
    check_close(list_bar[1], 3 * v0);
    check_close(x_bar, 3 * (2 * x0 * x0 * v0 + v0));
    check_close(std::get<1>(jvp([](const auto& x) { return squares(list, x); }, v0, x0)),
                sum(3 * (2 * x0 * x0 * v0 + v0) * x0));
    const auto rows = spread({4, 3});
    check_close(vmap(grad(squares, argnums<1>), in_axes(none, 0))(list, rows), 3 * (2 * x0 * x0 * rows + v0));
    check_close(vmap(grad(squares), in_axes(none, 0))(list, rows)[0], 6 * x0 * rows * rows);
    const auto mapped = [&](const auto& l) { return sum(vmap(squares, in_axes(none, 0))(l, rows)); };
    check_close(grad(mapped)(list)[1], 3 * sum(rows, 0));
}
TEST_CASE("custom_vjp: an adjoint of a list with another shape is refused, an empty list is none") {
    const auto of = [](auto bars) {
        return custom_vjp(
            [](const auto&, auto x) { return sum(x); },
            [](const auto& l, auto x) { return ricci::tuple(sum(x), l, x); },
            [bars](const auto& l, auto x, auto bar) { return ricci::tuple(bars(l), expand(bar, x.shape())); });
    };
    const auto wrong = of([](auto l) {
        l[0] = evaluate(concat({l[0], l[0]}));
        return l;
    });
    const auto slope = [](auto f) { return grad([f](const auto& l) { return f(l, v0); }); };
    CHECK_THROWS_WITH_AS(slope(wrong)(list), "[custom_vjp] the rule gave shape (6,) for an argument of shape (3,)",
                         shape_error);
    const auto same = of([](auto l) { return l; });
    CHECK(slope(same)(std::vector<tensor<double, 1>>{}).empty());
    check_close(slope(of([](auto) { return none; }))(list)[1], 0 * v0);
}
TEST_CASE("custom_jvp: tangents of a list have its arrays' shapes, one by one") {
    const auto f = custom_jvp([](auto x) { return std::vector{evaluate(x(slice(0, 2))), evaluate(x)}; },
                              [](const auto& primals, const auto& tangents) {
                                  const auto x = std::get<0>(primals), dx = std::get<0>(tangents);
                                  return ricci::tuple(std::vector{evaluate(x(slice(0, 2))), evaluate(x)},
                                                      std::vector{evaluate(dx), evaluate(dx(slice(0, 2)))});
                              });
    CHECK_THROWS_WITH_AS(jvp(f, x0, v0), "[custom_jvp] the rule gave shape (3,) for an argument of shape (2,)",
                         shape_error);
}
