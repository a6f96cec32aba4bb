// Captured values that are arrays: gradients of each sample, pullbacks outside of their transform, maps over two axes.
#include "derivatives.hpp"

using namespace derivative_checks;

TEST_CASE("levels: vmaps over the two axes of one array, results transposed") {
    const auto m = spread({3, 4});
    check_close(vmap([](auto row) { return vmap([](auto e) { return e * e; })(row); })(m), m * m);
    check_close(vmap([](auto column) { return vmap([column](auto e) { return e * sum(column); })(column); }, 1)(m),
                permute(m * sum(m, 0), {1, 0}));
}
TEST_CASE("levels: the gradient of each sample, with shared parameters captured or passed") {
    const auto w = spread({3}), targets = spread({5}, 9);
    const auto samples = spread({5, 3}, 4);
    auto loss = [](auto v, auto x, auto y) { return square(sum(v * x) - y); };
    const auto passed = vmap(grad(loss), in_axes(none, 0, 0))(w, samples, targets);
    const auto captured = vmap([w, loss](auto x, auto y) { return grad([x, y, loss](auto v) { return loss(v, x, y); })(w); })(samples, targets);
    check_close(passed, 2 * (sum(samples * w, 1) - targets)(all, newaxis) * samples);
    check_close(captured, passed);
    const auto outer = grad([&](auto v) {
        return sum(square(vmap([v, loss](auto x, auto y) { return grad(loss)(v, x, y); })(samples, targets)));
    })(w);
    auto penalty = [&](auto v) { return sum(square(2 * (sum(samples * v, 1) - targets)(all, newaxis) * samples)); };
    check_close(outer, difference_gradient<0>(penalty, tensor<double, 0>(1), std::make_tuple(w)), difference_tolerance);
}
TEST_CASE("levels: a pullback that leaves its transform is used inside others") {
    const auto x = spread({3});
    const auto pair = vjp([](auto v) { return sin(v) * v; }, x);
    const auto pull = std::get<1>(pair);
    const auto slope = cos(x) * x + sin(x);
    const auto c = spread({3}, 5);
    check_close(grad([pull](auto u) { return sum(square(pull(u))); })(c), 2 * slope * slope * c);
    check_close(std::get<1>(jvp([pull](auto u) { return pull(u) * u; }, c, ones<double>({3}))), 2 * slope * c);
    check_close(vmap([pull](auto u) { return pull(u); })(eye<double>(3)), eye<double>(3) * slope);
    check_close(pull(c), slope * c);
}
