// Arguments that are tuples, arrays and structs of tensors.
#include <array>

#include "derivatives.hpp"
#include "layer.hpp"

using namespace derivative_checks;

namespace {

const auto w0 = spread({4, 3});
const auto b0 = spread({4}, 5);
const auto u0 = spread({2, 4}, 11);
const auto c0 = spread({2}, 3);
const auto x0 = spread({3}, 8);
const network net{layer{w0, b0}, layer{u0, c0}};
template <class W>
struct out_of_order {
    W first, second;
    friend auto members(const out_of_order& x) { return std::tie(x.second, x.first); }
};

const auto apply = [](const auto& l, const auto& x) { return matmul(l.weight, x) + l.bias; };
const auto loss = [](const auto& n, const auto& x) {
    return sum(square(apply(n.second, evaluate(tanh(apply(n.first, x))))));
};
// the same with every array an argument of its own
const auto flat_loss = [](auto w, auto b, auto u, auto c, auto x) {
    return sum(square(matmul(u, evaluate(tanh(matmul(w, x) + b))) + c));
};

}  // namespace

TEST_CASE("structures: the gradient of a struct is a struct") {
    const auto g = grad(loss)(net, x0);
    const auto [w, b, u, c] = grad(flat_loss, argnums<0, 1, 2, 3>)(w0, b0, u0, c0, x0);
    check_close(g.first.weight, w);
    check_close(g.first.bias, b);
    check_close(g.second.weight, u);
    check_close(g.second.bias, c);
    const auto [value, both] = value_and_grad(loss, argnums<0, 1>)(net, x0);
    check_close(value, flat_loss(w0, b0, u0, c0, x0));
    check_close(std::get<0>(both).second.weight, u);
    check_close(std::get<1>(both), grad(flat_loss, argnums<4>)(w0, b0, u0, c0, x0));
}
TEST_CASE("structures: tuples and arrays of tensors") {
    auto f = [](const auto& t) { return sum(std::get<0>(t) * std::get<0>(t)) * std::get<1>(t); };
    const auto [dx, ds] = grad(f)(std::tuple(x0, 2.0));
    check_close(dx, 4 * x0);
    check_close(ds, sum(x0 * x0));
    auto g = [](const auto& list) { return sum(list[0] * list[1]); };
    const auto slopes = grad(g)(std::array{x0, evaluate(x0 * x0)});
    check_close(slopes[0], x0 * x0);
    check_close(slopes[1], x0);
}
TEST_CASE("structures: members that change places are refused") {  // made anew, x - y would be y - x
    const out_of_order<tensor<double, 1>> both{x0, evaluate(2 * x0)};
    const auto f = [](const auto& l) { return sum(square(l.first) - l.second); };
    CHECK_THROWS_WITH_AS(grad(f)(both), doctest::Contains("in the order of their declaration"), value_error);
    CHECK_THROWS_AS(vmap([](auto l) { return l.first; })(both), value_error);
}
TEST_CASE("structures: vjp, jvp, Hessian-vector products") {
    const auto [y, pull] = vjp(apply, net.first, x0);
    check_close(y, matmul(w0, x0) + b0);
    const auto [l_bar, x_bar] = pull(b0);
    check_close(l_bar.bias, b0);
    check_close(l_bar.weight, expand(b0(all, newaxis), {4, 3}) * x0);
    check_close(x_bar, matmul(b0, w0));
    const layer direction{evaluate(0 * w0), b0};
    const auto [z, t] = jvp(apply, std::tuple(net.first, x0), std::tuple(direction, x0));
    check_close(z, y);
    check_close(t, b0 + matmul(w0, x0));
}
TEST_CASE("structures: per-sample gradients, shared parameters") {
    const auto rows = spread({5, 3}, 21);
    const auto per_sample = vmap([](const auto& n, const auto& x) { return sum(grad(loss)(n, x).first.weight, 0); },
                                 in_axes(none, 0))(net, rows);
    for (index_t i = 0; i < 5; ++i) check_close(per_sample(i), sum(grad(loss)(net, rows(i)).first.weight, 0));
}
TEST_CASE("structures: an ensemble is a struct of stacked parameters") {
    const layer stacked{spread({6, 4, 3}, 2), spread({6, 4}, 17)};
    const auto outputs = vmap(apply, in_axes(0, none))(stacked, x0);
    for (index_t i = 0; i < 6; ++i) check_close(outputs(i), matmul(stacked.weight(i), x0) + stacked.bias(i));
}
