// Functions with derivative rules of their own that have several results, and checkpoints of structures. Rules give a
// multiple of the true derivative, so that a test sees whether they were used.
#include "derivatives.hpp"
#include "layer.hpp"

using namespace derivative_checks;

namespace custom_results {

const tensor<double, 1> x0{0.5, -1, 2};
const tensor<double, 1> v0{0.1, 0.2, 0.3};

// (a b, a + b), the backward rule doubled, the forward rule tripled
const auto both = [](auto a, auto b) { return ricci::tuple(a * b, a + b); };
const auto twice = custom_vjp(
    both, [](auto a, auto b) { return ricci::tuple(ricci::tuple(a * b, a + b), a, b); },
    [](auto a, auto b, auto bars) {
        const auto [p, s] = bars;
        return ricci::tuple(2 * (p * b + s), 2 * (p * a + s));
    });
const auto thrice = custom_jvp(both, [](auto primals, auto tangents) {
    const auto [a, b] = primals;
    const auto [da, db] = tangents;
    return ricci::tuple(ricci::tuple(a * b, a + b), ricci::tuple(3 * (da * b + a * db), 3 * (da + db)));
});

/// A step of an oscillator with parameters: (q, p) -> (q + h p, p - h k q).
const auto swing = [](const auto& state, const auto& parameters) {
    const auto& [q, p] = state;
    const auto& [k, h] = members(parameters);
    return ricci::tuple(q + h * p, p - h * k * q);
};
const auto energy = [](const auto& step) {
    return [step](const auto& parameters, const auto& q) {
        auto state = lift(std::tuple(q, zeros_like(q)), parameters, q);
        for (int i = 0; i < 3; ++i) state = step(state, parameters);
        return sum(square(std::get<0>(state)) * parameters.weight + square(std::get<1>(state)));
    };
};

}  // namespace custom_results
using namespace custom_results;

TEST_CASE("custom_vjp: several results, used together and apart") {
    const auto [p, s] = twice(x0, v0);
    check_close(p, x0 * v0);
    check_close(s, x0 + v0);
    const auto loss = [](auto a, auto b) {
        const auto [product, total] = twice(a, b);
        return sum(square(product) + total);
    };
    check_close(grad(loss)(x0, v0), 2 * (2 * x0 * v0 * v0 + 1));
    check_close(grad([](auto a) { return sum(std::get<1>(twice(a, v0))); })(x0), full({3}, 2.0));
    check_close(grad([&](auto a) { return sum(grad(loss)(a, v0)); })(x0),
                4 * v0 * v0);  // forward is differentiated
    variable<double, 1> w = x0.clone();
    backward(sum(std::get<0>(twice(w, v0))));
    check_close(w.grad(), 2 * v0);
}
TEST_CASE("custom_vjp: several results in batches") {
    const auto rows = spread({4, 3});
    const auto [p, s] = vmap(twice, in_axes(0, none))(rows, v0);
    check_close(p, rows * v0);
    check_close(s, rows + v0);
    const auto total = [&](auto b) {
        const auto [product, sums] = vmap(twice, in_axes(0, none))(rows, b);
        return sum(product) + 5 * sum(sums);
    };
    check_close(grad(total)(v0), 2 * (sum(rows, 0) + 20));
    check_close(vmap(grad([](auto a) { return sum(std::get<0>(twice(a, v0))); }))(rows), expand(2 * v0, {4, 3}));
}
TEST_CASE("custom_jvp: several results, both modes") {
    const auto [y, t] = jvp(thrice, std::tuple(x0, v0), std::tuple(v0, x0));
    check_close(std::get<0>(y), x0 * v0);
    check_close(std::get<0>(t), 3 * (v0 * v0 + x0 * x0));
    check_close(std::get<1>(t), 3 * (x0 + v0));
    const auto loss = [](auto a) {
        const auto [product, total] = thrice(a, v0);
        return sum(product) + 2 * sum(total);
    };
    check_close(grad(loss)(x0), 3 * (v0 + 2));
}
TEST_CASE("checkpoint: steps of a state with parameters in structures") {
    const layer parameters{tensor<double, 0>(2.0), tensor<double, 0>(0.1)};
    const auto [value, expected] = value_and_grad(energy(swing), argnums<0, 1>)(parameters, x0);
    const auto [kept, found] = value_and_grad(energy(checkpoint(swing)), argnums<0, 1>)(parameters, x0);
    check_close(kept, value);
    check_close(std::get<0>(found).weight, std::get<0>(expected).weight);
    check_close(std::get<0>(found).bias, std::get<0>(expected).bias);
    check_close(std::get<1>(found), std::get<1>(expected));
    const auto f = [&](auto k) { return energy(swing)(layer{k, parameters.bias}, x0); };
    check_close(std::get<0>(found).weight,
                difference(f, std::tuple(parameters.weight), std::tuple(tensor<double, 0>(1.0))), difference_tolerance);
    const auto rows = spread({4, 3});
    const auto each = vmap(grad(energy(checkpoint(swing))), in_axes(none, 0))(parameters, rows);
    for (index_t i = 0; i < 4; ++i) check_close(each.bias(i), grad(energy(swing))(parameters, rows(i)).bias);
}
TEST_CASE("checkpoint: vectors of arrays, in structures too") {
    const auto through = [](const auto& layers, const auto& x) {
        auto y = lift(x, std::get<0>(layers[0]), x);
        for (const auto& [w, b] : layers) y = evaluate(tanh(matmul(w, y) + b));
        return y;
    };
    const std::vector<std::tuple<tensor<double, 2>, tensor<double, 1>>> layers{{spread({4, 3}, 1), spread({4}, 2)},
                                                                               {spread({2, 4}, 3), spread({2}, 4)}};
    const auto loss = [](const auto& f) {
        return [f](const auto& parameters, const auto& x) { return sum(square(f(parameters, x))); };
    };
    const auto expected = grad(loss(through), argnums<0, 1>)(layers, x0);
    const auto found = grad(loss(checkpoint(through)), argnums<0, 1>)(layers, x0);
    check_close(std::get<1>(found), std::get<1>(expected));
    for (std::size_t i = 0; i < 2; ++i) {
        check_close(std::get<0>(std::get<0>(found)[i]), std::get<0>(std::get<0>(expected)[i]));
        check_close(std::get<1>(std::get<0>(found)[i]), std::get<1>(std::get<0>(expected)[i]));
    }
    const auto rows = spread({4, 3});
    const auto each = vmap(grad(loss(checkpoint(through))), in_axes(none, 0))(layers, rows);
    check_close(std::get<0>(each[1])(2), std::get<0>(grad(loss(through))(layers, rows(2))[1]));
    const auto plain = [](const auto& list) { return sum(list[0] * list[1]); };  // nothing to derive
    check_close(checkpoint(plain, std::vector{x0, x0}), sum(x0 * x0));
}
