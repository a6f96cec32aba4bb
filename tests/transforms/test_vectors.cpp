// Arguments and results that hold std::vectors of arrays: as many as there are at run time, of shapes that differ.
#include "derivatives.hpp"
#include "layer.hpp"

using namespace derivative_checks;

namespace vectors {

using dense = layer<tensor<double, 2>, tensor<double, 1>>;

template <class W, class B>
struct perceptron {  // the parameters are those of what its members are made of
    std::vector<layer<W, B>> hidden;
    W last;
    friend auto members(const perceptron& p) { return std::tie(p.hidden, p.last); }
};
using model = perceptron<tensor<double, 2>, tensor<double, 1>>;

const auto w0 = spread({3, 5});
const auto b0 = spread({5}, 5);
const auto w1 = spread({5, 2}, 11);
const auto b1 = spread({2}, 3);
const auto u0 = spread({2, 2}, 17);
const auto x0 = spread({4, 3}, 8);
const model net{{dense{w0, b0}, dense{w1, b1}}, u0};

const auto loss = [](const auto& m, const auto& x) {
    auto h = lift(x, m);
    for (const auto& l : m.hidden) h = tanh(matmul(h, l.weight) + l.bias);
    return sum(square(matmul(h, m.last)));
};
// the same with every array an argument of its own
const auto flat_loss = [](auto w, auto b, auto v, auto c, auto u, auto x) {
    const auto h = evaluate(tanh(matmul(x, w) + b));
    return sum(square(matmul(evaluate(tanh(matmul(h, v) + c)), u)));
};

}  // namespace vectors
using namespace vectors;

TEST_CASE("vectors: the gradient of a model with a vector of layers is such a model") {
    const auto [value, g] = value_and_grad(loss)(net, x0);
    static_assert(std::is_same_v<decltype(g), const model>);
    const auto [w, b, v, c, u] = grad(flat_loss, argnums<0, 1, 2, 3, 4>)(w0, b0, w1, b1, u0, x0);
    check_close(value, flat_loss(w0, b0, w1, b1, u0, x0));
    REQUIRE(g.hidden.size() == 2);
    check_close(g.hidden[0].weight, w);
    check_close(g.hidden[0].bias, b);
    check_close(g.hidden[1].weight, v);
    check_close(g.hidden[1].bias, c);
    check_close(g.last, u);
    model next = tree_map([](auto p, auto d) { return p - 0.5 * d; }, net, g);
    check_close(next.hidden[1].bias, b1 - 0.5 * c);
    tree_map([](auto p, auto d) { p -= d; }, next, g);
    check_close(next.hidden[0].weight, w0 - 1.5 * w);
}
TEST_CASE("vectors: vjp, jvp, Hessian-vector products") {
    const auto powers = [](const auto& list) {  // (x y, y^2)
        using T = std::remove_cvref_t<decltype(list[0])>;
        return std::vector<T>{list[0] * list[1], square(list[1])};
    };
    const std::vector at{spread({3}), spread({3}, 7)}, c{spread({3}, 20), spread({3}, 30)};
    const auto [y, pull] = vjp(powers, at);
    check_close(y[0], at[0] * at[1]);
    const auto bars = pull(c);
    REQUIRE(bars.size() == 2);
    check_close(bars[0], c[0] * at[1]);
    check_close(bars[1], c[0] * at[0] + 2 * c[1] * at[1]);
    const auto [z, t] = jvp(powers, at, c);
    check_close(z[1], square(at[1]));
    check_close(t[0], c[0] * at[1] + at[0] * c[1]);
    check_close(t[1], 2 * at[1] * c[1]);
    // of x^2 y: 2 y x' + 2 x y' and 2 x x'
    const auto bent = hvp([](const auto& list) { return sum(square(list[0]) * list[1]); }, at, c);
    check_close(bent[0], 2 * at[1] * c[0] + 2 * at[0] * c[1]);
    check_close(bent[1], 2 * at[0] * c[0]);
}
TEST_CASE("vectors: in vectors, tuples and arrays; of structs; empty ones") {
    const std::tuple all{std::vector{std::vector{x0}, std::vector{w0, w1}},
                         std::array{std::vector{b0}, std::vector<tensor<double, 1>>{}}};
    const auto f = [](const auto& t) {
        auto total = lift(0.0, t);
        double factor = 1;
        for (const auto& list : std::get<0>(t))
            for (const auto& a : list) total = total + factor++ * sum(a);
        for (const auto& list : std::get<1>(t))
            for (const auto& a : list) total = total + factor++ * sum(a);
        return total;
    };
    const auto g = grad(f)(all);
    CHECK(std::get<0>(g)[0].size() == 1);
    check_close(std::get<0>(g)[1][0], full({3, 5}, 2.0));
    check_close(std::get<0>(g)[1][1], full({5, 2}, 3.0));
    check_close(std::get<1>(g)[0][0], full({5}, 4.0));
    CHECK(std::get<1>(g)[1].empty());
    const auto nothing = grad(f)(
        std::tuple{std::vector<std::vector<tensor<double, 1>>>{}, std::vector<std::vector<tensor<double, 1>>>{}});
    CHECK(std::get<0>(nothing).empty());
}
TEST_CASE("vectors: lists of other lengths or shapes are refused") {
    const auto f = [](const auto& list) { return sum(list[0]); };
    CHECK_THROWS_WITH_AS(jvp(f, std::vector{b0, b1}, std::vector{b0}),
                         "a std::vector of 2 meets one of 1 in a structure that should be like it", shape_error);
    CHECK_THROWS_AS(jvp(f, std::vector{b0, b1}, std::vector{b0, b0}), shape_error);
    const auto same = [](const auto& list) { return list; };
    const auto pull = std::get<1>(vjp(same, std::vector{b0, b1}));
    CHECK_THROWS_AS(pull(std::vector{b0}), shape_error);
    CHECK_THROWS_AS(pull(std::vector{b1, b0}), shape_error);
    CHECK_THROWS_AS(tree_map([](auto a, auto b) { return a + b; }, std::vector{b0}, std::vector{b0, b1}), shape_error);
}
TEST_CASE("vectors: autograd::grad of vectors and structs of variables") {
    std::vector<variable<double, 1>> w{b0, b0 * 2};
    const auto g = autograd::grad(sum(w[0] * square(w[1])), w, {.create_graph = true});
    check_close(g[0].value(), 4 * b0 * b0);
    check_close(g[1].value(), 4 * b0 * b0);
    const auto h = autograd::grad(sum(g[1]), w);  // g[1] = 2 w0 w1
    check_close(h[0].value(), 4 * b0);
    check_close(h[1].value(), 2 * b0);
    const layer line{variable<double, 1>(b0), variable<double, 0>(tensor<double, 0>(3.0))};
    const auto [slope, offset] = autograd::grad(sum(line.weight * line.bias), line);
    check_close(slope.value(), full({5}, 3.0));
    check_close(offset.value(), sum(b0));
}
