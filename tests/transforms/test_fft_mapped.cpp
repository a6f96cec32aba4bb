// Fourier transforms under vmap, in jets, recorded with create_graph, and in sparse Jacobians.
#include "exhaustive.hpp"

using namespace mapped;

TEST_CASE("fft: vmap in every way") {
    const auto around = [](auto x) {
        return evaluate(fft::irfft(fft::rfft(x, {.n = 5}) * complex(1.0, 0.5), {.n = 3, .axis = 0}));
    };
    check_every_way(around, shape{4, 3});
    check_gradients_every_way(around, shape{4, 3});
}

TEST_CASE("fft: jets are the transforms of the coefficients") {
    const auto x = spread(shape{6}), t = spread(shape{6}, 3);
    const auto f = [](const auto& a) { return evaluate(real(fft::fft(a * a))); };
    const auto [y, series] = jet(f, x, ricci::tuple(t, evaluate(0 * t)));
    check_close(y, f(x));
    check_close(std::get<0>(series), evaluate(real(fft::fft(2 * x * t))));
    check_close(std::get<1>(series), evaluate(real(fft::fft(2 * t * t))));
}

TEST_CASE("fft: gradients of gradients, recorded") {
    variable<double, 1> x = spread(shape{5});
    const auto loss = sum(square(abs(fft::rfft(x * x))));
    const auto [g] = autograd::grad(loss, ricci::tuple(x), {.create_graph = true});
    backward(sum(g * g));
    const auto plain = [](const auto& a) { return sum(square(abs(fft::rfft(a * a)))); };
    check_close(x.grad(), grad([&](const auto& a) { return sum(square(grad(plain)(a))); })(spread(shape{5})));
}

TEST_CASE("fft: each element of a line depends on all of it, and on no other line") {
    const auto f = [](const auto& x) { return reshape(fft::irfft(fft::rfft(reshape(x, {2, 4}))), {8}); };
    const auto pattern = jacobian_sparsity(f, ones<double>({8}));
    CHECK(pattern.columns().size() == 2 * 4 * 4);
}
