// Derivatives of higher order, batches and variables on the second device against the CPU.
#include <ricci/grad/variable.hpp>

#include "agree.hpp"

namespace {

const auto wave = [](auto x) { return rc::sum(rc::sin(x) * rc::exp(-x * x) / (1 + x * x)); };

}  // namespace

TEST_CASE("cuda: forward mode and higher orders") {
    const auto x = random_tensor({5});
    const auto v = random_tensor({5}, 2);
    agree([](auto a, auto d) { return std::get<1>(rc::jvp([](auto p) { return rc::sin(p) * rc::sum(p * p); }, a, d)); },
          x, v);
    agree([](auto a, auto d) { return rc::hvp(wave, a, d); }, x, v);
    agree(rc::hessian(wave), x);
    agree(rc::hessian([](auto a) { return rc::sum(a * a * a) * rc::sum(rc::exp(a)); }), x);
    agree(rc::grad([](auto a) { return rc::sum(rc::square(rc::grad(wave)(a))); }), x);
    agree(rc::jacrev([](auto a) { return rc::sin(a) * rc::mean(a); }), x);
    agree(rc::jacfwd([](auto a) { return rc::sin(a) * rc::mean(a); }), x);
}

TEST_CASE("cuda: vmap") {
    const auto x = random_tensor({6, 4});
    const auto w = random_tensor({4}, 2);
    agree(rc::vmap([](auto a) { return rc::sum(rc::sin(a)) * a; }), x);
    agree(
        [](auto b, auto a) {
            return rc::vmap([](auto p, auto q) { return rc::sum(p * q) + rc::max(q); }, rc::in_axes(rc::none, 0))(b, a);
        },
        w, x);
    agree(
        [](auto b, auto a) {
            return rc::vmap(rc::grad([](auto p, auto q) { return rc::square(rc::sum(p * q)); }),
                            rc::in_axes(rc::none, 0))(b, a);
        },
        w, x);
    agree(rc::vmap(rc::vmap([](auto a) { return rc::exp(a) * a; })), x);
}

TEST_CASE("cuda: variables") {
    auto train = [](auto x) {
        using tensor_type = decltype(x);
        rc::variable<double, 1, typename tensor_type::device_type> w =
            rc::zeros<double>({4}, typename tensor_type::device_type());
        for (int step = 0; step < 5; ++step) {
            w.zero_grad();
            rc::backward(rc::mean(rc::square(x * w - rc::sum(x, 1, rc::keepdims))));
            w.value() -= 0.05 * w.grad();
        }
        return w.value();
    };
    agree(train, random_tensor({6, 4}));
    auto twice = [](auto x) {
        rc::variable<double, 1, typename decltype(x)::device_type> w = x;
        const auto [g] = rc::autograd::grad(rc::sum(w * w * w), std::make_tuple(w), {.create_graph = true});
        rc::backward(rc::sum(g * g));
        return w.grad();
    };
    agree(twice, random_tensor({4}));
}
