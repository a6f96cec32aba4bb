// Arguments and results that hold std::maps of arrays, as dictionaries of parameters in JAX and torch.
#include <map>
#include <string>

#include "derivatives.hpp"
#include "layer.hpp"

using namespace derivative_checks;

namespace maps {

using dense = layer<tensor<double, 2>, tensor<double, 1>>;
using vectors = std::map<std::string, tensor<double, 1>>;

const auto w0 = spread({3});
const auto b0 = spread({4}, 5);
const auto x0 = spread({3}, 8);
const vectors parameters{{"weight", w0}, {"bias", b0}};
// by name: in the order of the keys "bias" is the first
const auto loss = [](auto p, auto x) { return sum(sin(p["weight"] * x)) * sum(square(p["bias"])) * p["bias"](0); };
const auto flat_loss = [](auto w, auto b, auto x) { return sum(sin(w * x)) * sum(square(b)) * b(0); };

}  // namespace maps
using namespace maps;

TEST_CASE("maps: the gradient of a function of a dictionary is one") {
    const auto [value, g] = value_and_grad(loss)(parameters, x0);
    static_assert(std::is_same_v<decltype(g), const vectors>);
    const auto [w, b] = grad(flat_loss, argnums<0, 1>)(w0, b0, x0);
    check_close(value, flat_loss(w0, b0, x0));
    REQUIRE(g.size() == 2);
    check_close(g.at("weight"), w);
    check_close(g.at("bias"), b);
    vectors next = tree_map([](auto p, auto d) { return evaluate(p - 0.5 * d); }, parameters, g);
    check_close(next["bias"], b0 - 0.5 * b);
    tree_map([](auto p, auto d) { p -= d; }, next, g);
    check_close(next["weight"], w0 - 1.5 * w);
}
TEST_CASE("maps: beside vectors they are refused") {
    const std::vector<tensor<double, 1>> listed{b0, w0};
    CHECK_THROWS_AS(tree_map([](auto p, auto q) { return p + q; }, parameters, listed), value_error);
    CHECK_THROWS_AS(tree_map([](auto p, auto q) { return p + q; }, listed, parameters), value_error);
}
TEST_CASE("maps: of structs, in a struct's place, in vectors") {
    const std::map<int, dense> net{{2, {spread({4, 2}, 3), spread({2})}}, {1, {spread({3, 4}), spread({4}, 7)}}};
    const auto x = spread({5, 3}, 9);
    const auto forward = [](const auto& layers, const auto& x) {
        auto h = lift(x, layers);
        for (const auto& [k, l] : layers) h = tanh(matmul(h, l.weight) + l.bias);
        return sum(square(h));
    };
    const auto listed = [&](const auto& layers, const auto& x) {
        auto h = lift(x, layers);
        for (const auto& l : layers) h = tanh(matmul(h, l.weight) + l.bias);
        return sum(square(h));
    };
    const auto g = grad(forward)(net, x);
    const auto expected = grad(listed)(std::vector<dense>{net.at(1), net.at(2)}, x);
    check_close(g.at(1).weight, expected[0].weight);
    check_close(g.at(2).bias, expected[1].bias);
    const auto of_list = grad([&](const auto& nets) { return forward(nets[0], x) + 2 * forward(nets[1], x); });
    const auto gs = of_list(std::vector{net, net});
    check_close(gs[1].at(2).weight, 2 * g.at(2).weight);
    check_close(gs[0].at(1).bias, g.at(1).bias);
}
TEST_CASE("maps: vjp, jvp, Hessian-vector products, Jacobians") {
    const auto f = [](const auto& p) {
        std::remove_cvref_t<decltype(p)> y;
        y.emplace("product", evaluate(p.at("a") * p.at("b")));
        y.emplace("square", evaluate(square(p.at("b"))));
        return y;
    };
    const tensor<double, 1> a{1, 2}, b{3, -1}, c{0.5, 2}, d{1, -2};
    const vectors p{{"a", a}, {"b", b}}, t{{"a", c}, {"b", d}}, bar{{"product", c}, {"square", d}};
    const auto [y, pull] = vjp(f, p);
    check_close(y.at("square"), square(b));
    const auto back = pull(bar);
    check_close(back.at("a"), b * c);
    check_close(back.at("b"), a * c + 2 * b * d);
    const auto [value, tangent] = jvp(f, p, t);
    check_close(value.at("product"), a * b);
    check_close(tangent.at("product"), a * d + b * c);
    check_close(tangent.at("square"), 2 * b * d);
    for (const auto& J : {jacrev(f)(p), jacfwd(f)(p)}) {
        check_close(J.at("product").at("a"), diag(b));
        check_close(J.at("product").at("b"), diag(a));
        check_close(J.at("square").at("b"), diag(2 * b));
        check_close(J.at("square").at("a"), zeros({2, 2}));
    }
    const auto cube = [](const auto& p) { return sum(p.at("a") * square(p.at("b"))); };
    const auto H = hvp(cube, p, t);
    check_close(H.at("a"), 2 * b * d);
    check_close(H.at("b"), 2 * b * c + 2 * a * d);
}
TEST_CASE("maps: batches, ensembles, chunks and other keys") {
    const auto f = [](const auto& p, const auto& x) { return sum(p.at("w") * x) + p.at("s"); };
    const std::map<std::string, tensor<double, 1>> batch{{"w", w0}, {"s", x0}};
    const auto rows = spread({3, 2}, 4);
    check_close(vmap(f)(batch, rows), w0 * sum(rows, 1) + x0);
    const auto twice = [](const auto& p) { return tree_map([](const auto& a) { return evaluate(2 * a); }, p); };
    const auto y = vmap(twice, {.chunk_size = 2})(batch);
    check_close(y.at("s"), 2 * x0);
    const auto stacked = stack_state(std::vector{parameters, parameters});
    static_assert(std::is_same_v<decltype(stacked), const std::map<std::string, tensor<double, 2>>>);
    check_close(stacked.at("bias"), stack({b0, b0}));
    check_close(vmap(grad(loss), in_axes(0, none))(stacked, x0).at("weight")(1),
                grad(loss)(parameters, x0).at("weight"));
    const vectors other{{"weight", w0}, {"bios", b0}};
    CHECK_THROWS_AS(stack_state(std::vector{parameters, other}), value_error);
    CHECK_THROWS_AS((void)jvp([](const auto& p) { return sum(p.at("bias")); }, parameters, other), value_error);
    CHECK_THROWS_AS(tree_map([](auto a, auto b) { return evaluate(a + b); }, parameters, other), value_error);
    CHECK(grad([](const auto& p, auto x) { return sum(x * x) + double(p.size()); }, argnums<0>)(vectors{}, x0).empty());
    const std::map<std::string, double> numbers{{"a", 2.0}, {"b", 3.0}};
    const auto g = grad([](const auto& p) { return p.at("a") * p.at("a") * p.at("b"); })(numbers);
    CHECK(g.at("a").item() == 12);
    CHECK(g.at("b").item() == 4);
}
