// Gradients on the second device against the CPU: fused kernels, leaves that were broadcast, views, matmul.
#include "agree.hpp"

namespace {

struct scaled_sine {
    template <class A, class B>
    RICCI_HD auto operator()(const A& a, const B& b) const {
        return sin(a * b) + a;
    }
};

// Functions of arrays, with scalar results.
const auto wave = [](auto x) { return rc::sum(rc::sin(x) * rc::exp(-x * x) / (1 + x * x)); };
const auto network = [](auto w, auto x, auto y) { return rc::mean(rc::square(rc::tanh(rc::matmul(x, w)) - y)); };
const auto with_broadcast = [](auto a, auto row, auto column) {
    return rc::sum(rc::tanh(a * row + column) * rc::where(a > row, a, column) + row * row);
};

}  // namespace

TEST_CASE("cuda: gradients") {
    const auto x = random_tensor({4, 5});
    agree(rc::grad(wave), random_tensor<float>({4, 5}));
    agree(rc::grad(wave), x);
    agree(rc::grad(wave), rc::permute(x, {1, 0}));
    agree([](auto a) { return std::get<0>(rc::value_and_grad(wave)(a)); }, x);
    agree([](auto a) { return std::get<1>(rc::value_and_grad(wave)(a)); }, x);
    agree(rc::grad([](auto a) { return rc::sum(a * a * rc::sin(a) * a); }), x);
    agree(rc::grad([](auto a) { return rc::sum(rc::max(a, 1)) + rc::min(a) * rc::prod(a(0)); }), x);
    agree(rc::grad([](auto a) {
              return rc::sum(a(rc::slice(1, rc::none), 2) * a(0, rc::slice(0, 3))) + rc::sum(rc::stddev(a, 0));
          }),
          x);
    agree(rc::grad([](auto a) { return rc::sum(rc::cumulative_prod(a, 1) * a); }), x);
    agree(rc::grad([](auto a) { return rc::sum(rc::reshape(a, {2, 10}) * rc::expand(a(0, 1), {2, 10})); }), x);
}

TEST_CASE("cuda: gradients of leaves that were broadcast") {
    const auto a = random_tensor({6, 7});
    const auto row = random_tensor({7}, 2);
    const auto column = random_tensor({6, 1}, 3);
    agree(rc::grad(with_broadcast), a, row, column);
    agree([](auto r, auto x, auto c) { return rc::grad([&](auto v) { return with_broadcast(x, v, c); })(r); }, row, a,
          column);
    auto adjoint = []<int I>(std::integral_constant<int, I>) {
        return [](auto x, auto r, auto c) {
            auto pair = rc::vjp(with_broadcast, x, r, c);
            return std::get<I>(
                std::get<1>(pair)(rc::full<double>(rc::shape<0>(), 2.0, typename decltype(x)::device_type())));
        };
    };
    agree(adjoint(std::integral_constant<int, 0>()), a, row, column);
    agree(adjoint(std::integral_constant<int, 1>()), a, row, column);
    agree(adjoint(std::integral_constant<int, 2>()), a, row, column);
    const auto many = random_tensor({30000, 3}, 4);
    agree([](auto r, auto x) { return rc::grad([&](auto v) { return rc::sum(rc::sin(x * v)); })(r); },
          random_tensor({3}), many);
}

TEST_CASE("cuda: a function of the user's, and a matrix product") {
    const auto x = random_tensor({5, 4});
    const auto w = random_tensor({4, 3}, 2) * 0.1;
    const auto y = random_tensor({5, 3}, 3);
    agree(rc::grad([](auto a, auto b) { return rc::sum(rc::map(scaled_sine(), a, b)); }), x, random_tensor({4}, 5));
    const rc::tensor<double, 2> weights = w;
    check_equal(rc::grad(network)(weights.to(rc::cuda), x.to(rc::cuda), y.to(rc::cuda)),
                rc::grad([](auto v, auto a, auto b) {
                    return rc::mean(rc::square(rc::tanh(rc::sum(a(rc::all, rc::all, rc::newaxis) * v, 1)) - b));
                })(weights, x, y));
}
