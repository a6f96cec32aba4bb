// create_graph through broadcasting, views, reductions, matmul and a user's function; variables inside transforms.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto m0 = spread({3, 4}, 1);

/// The Hessian of f's weighted sum times a vector, by two passes of autograd::grad.
template <class F, int R>
void check_product(const F& f, const tensor<double, R>& at) {
    variable<double, R> w = at.clone();
    const auto total = weighted_sum(f);
    const auto [slope] = autograd::grad(total(w), ricci::tuple(w), {.create_graph = true});
    const auto v = spread(at.shape(), 3);
    const auto [product] = autograd::grad(sum(slope * v), ricci::tuple(w), {.allow_unused = true});
    check_close(product.value(), difference(ricci::grad(total), std::make_tuple(at), std::make_tuple(v)), difference_tolerance);
}

}  // namespace

TEST_CASE("create_graph: broadcasting and views") {
    check_product([](const auto& w) { return sin(w * w(0)) * w(all, slice(1, 2)); }, m0);
    check_product([](const auto& w) { return reshape(permute(w, {1, 0}), {12}) * reshape(w, {12}); }, m0);
    check_product([](const auto& w) { return w(slice(none, none, -1)) * expand(w(0, 1), {3, 4}) * w; }, m0);
}
TEST_CASE("create_graph: reductions") {
    check_product([](const auto& w) { return sum(w * w, 1) * mean(w * w); }, m0);
    check_product([](const auto& w) { return max(w * w, 0) * min(w); }, m0);
    check_product([](const auto& w) { return prod(w, 1); }, m0);
    check_product([](const auto& w) { return var(w, 1) * stddev(w); }, m0);
}
TEST_CASE("create_graph: matmul") {
    check_product([](const auto& w) { return matmul(w * w, permute(sin(w), {1, 0})); }, m0);
}
TEST_CASE("create_graph: ops of several results, all of them used or some") {
    const auto normal = [](const auto& w) { return evaluate(matmul(w, permute(w, {1, 0}))); };
    check_product([&](const auto& w) { return linalg::slogdet(normal(w)).logabsdet; }, m0);
    check_product(
        [&](const auto& w) {
            const auto [values, vectors] = linalg::eigh(normal(w));
            return vectors * vectors * values;
        },
        m0);
}
TEST_CASE("create_graph: a user's function") {
    check_product([](const auto& w) { return map([](auto a, auto b) { return a * b + sin(a * b); }, w, w(0)); }, m0);
}
TEST_CASE("variable: inside a vmap that captures it") {
    variable<double, 1> w = tensor<double, 1>{0.5, -1, 2, 1};
    backward(sum(vmap([w](auto row) { return sin(sum(w * row)); })(m0)));
    check_close(w.grad(), sum(cos(sum(m0 * w.value(), 1))(all, newaxis) * m0, 0));
}
TEST_CASE("variable: inside a grad or a jvp that captures it") {
    variable<double, 1> w = tensor<double, 1>{0.5, -1, 2, 1};
    const auto x = m0(0).clone();
    const auto g = ricci::grad([w](auto v) { return sum(w * w * v * v); })(x);
    backward(sum(g));
    check_close(w.grad(), 4 * w.value() * x);
    w.zero_grad();
    backward(sum(std::get<1>(jvp([w](auto v) { return w * w * v * v; }, x, ones<double>({4})))));
    check_close(w.grad(), 4 * w.value() * x);
}
TEST_CASE("variable: as the argument of a transform") {
    variable<double, 1> w = tensor<double, 1>{0.5, -1, 2, 1};
    backward(sum(ricci::grad([](auto v) { return sum(v * v * v); })(w)));
    check_close(w.grad(), 6 * w.value());
    variable<double, 2> m = m0.clone();
    backward(sum(square(vmap([](auto row) { return sum(row * row); })(m))));
    check_close(m.grad(), 4 * sum(m0 * m0, 1)(all, newaxis) * m0);
}
