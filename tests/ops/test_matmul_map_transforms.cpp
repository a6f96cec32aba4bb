// matmul with a map of the product under transforms: the derivatives and batches of the map of matmul's result.
#include <doctest/doctest.h>

#include <ricci/fixed.hpp>
#include <ricci/ricci.hpp>
#include <tuple>

namespace rc = ricci;

namespace {

const auto a = rc::evaluate(rc::sin(rc::reshape(rc::arange<double>(12), {3, 4})));
const auto b = rc::evaluate(rc::cos(rc::reshape(rc::arange<double>(20), {4, 5})));
const auto bias = rc::evaluate(rc::arange<double>(5) / 5);

/// A layer, and the same in two steps.
const auto layer = [](auto x, auto w, auto c) { return rc::matmul(x, w, [&](auto xw) { return rc::tanh(xw + c); }); };
const auto in_steps = [](auto x, auto w, auto c) { return rc::tanh(rc::matmul(x, w) + c); };

}  // namespace

TEST_CASE("gradients, of captured values too") {
    const auto loss = [](auto f) { return [f](auto x, auto w, auto c) { return rc::sum(rc::square(f(x, w, c))); }; };
    const auto [da, db, dc] = rc::grad(loss(layer), rc::argnums<0, 1, 2>)(a, b, bias);
    const auto [ea, eb, ec] = rc::grad(loss(in_steps), rc::argnums<0, 1, 2>)(a, b, bias);
    CHECK(rc::array_equal(da, ea));
    CHECK(rc::array_equal(db, eb));
    CHECK(rc::array_equal(dc, ec));
    // plain factors, a recorded bias
    const auto of_bias = rc::grad([](auto c) { return rc::sum(rc::square(layer(a, b, c))); })(bias);
    CHECK(rc::array_equal(of_bias, ec));
    CHECK(rc::gradcheck([](auto x, auto w, auto c) { return layer(x, w, c); }, std::tuple(a, b, bias)));
    CHECK(rc::gradgradcheck([](auto x, auto c) { return layer(x, b, c); }, std::tuple(a, bias)));
}

TEST_CASE("forward mode and batches") {
    const auto tangent = rc::evaluate(rc::cos(a));
    const auto of_factor = [](auto f) { return [f](auto x) { return f(x, b, bias); }; };
    CHECK(rc::array_equal(std::get<1>(rc::jvp(of_factor(layer), a, tangent)),
                          std::get<1>(rc::jvp(of_factor(in_steps), a, tangent))));
    const auto many = rc::evaluate(rc::stack({a, tangent, rc::evaluate(a * 2)}));
    CHECK(rc::array_equal(rc::vmap(of_factor(layer))(many), rc::evaluate(in_steps(many, b, bias))));
    // a batch of what is captured alone: the product is computed once
    const auto biases = rc::evaluate(rc::stack({bias, rc::evaluate(bias * 2)}));
    const auto captured = rc::vmap([](auto c) { return layer(a, b, c); })(biases);
    CHECK(rc::array_equal(captured, rc::evaluate(rc::tanh(rc::matmul(a, b) + biases(rc::all, rc::newaxis)))));
    const auto per_sample = rc::vmap(rc::grad([](auto c, auto x) { return rc::sum(layer(x, b, c)); }),
                                     rc::in_axes(rc::none, 0))(bias, many);
    for (int i = 0; i < 3; ++i) {
        const auto x = rc::evaluate(many(i));
        CHECK(rc::allclose(per_sample(i), rc::grad([&](auto c) { return rc::sum(in_steps(x, b, c)); })(bias)));
    }
}

TEST_CASE("fixed factors") {
    const rc::fixed_tensor<double, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
    const rc::fixed_tensor<double, 3, 2> y{{1, 0}, {0, 1}, {1, 1}};
    const rc::fixed_tensor<double, 2> v{0.5, -1};
    const auto f = rc::matmul(x, y, [&](auto xy) { return xy * v; });
    static_assert(rc::is_fixed_v<std::remove_cvref_t<decltype(f)>>);
    CHECK(rc::array_equal(f, rc::matmul(x, y) * v));
    const rc::tensor<double, 2> z{{1, 2}, {3, 4}};
    CHECK(rc::array_equal(rc::matmul(x, y, [&](auto xy) { return xy - z; }), rc::matmul(x, y) - z));
    CHECK(rc::array_equal(rc::matmul(z, y(rc::slice(0, 2)), [&](auto xy) { return xy - v; }),
                          rc::matmul(z, y(rc::slice(0, 2))) - v));
}
