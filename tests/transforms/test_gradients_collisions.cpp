// Higher derivatives of reading through index arrays that name an element several times.
#include "derivatives.hpp"

using namespace derivative_checks;

TEST_CASE("gradients: collisions add up, to any order") {
    const tensor<int, 1> twice{1, -1, 1, 1};
    const auto f = [=](auto x) { return sum(x(twice) * x(twice) * x(twice)); };  // 3 x1^3 + x3^3
    const tensor<double, 1> x{2, 3, 5, 7};
    check_close(grad(f)(x), tensor<double, 1>{0, 81, 0, 147});
    check_close(hessian(f)(x), tensor<double, 2>{{0, 0, 0, 0}, {0, 54, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 42}});
    check_close(grad([&](auto z) { return sum(grad([&](auto y) { return sum(grad(f)(y)); })(z)); })(x), tensor<double, 1>{0, 18, 0, 6});
    // a mask whose values differentiation does not see
    check_close(hessian([](auto y) { return sum(y(y > 2.5) * y(y > 2.5)); })(x),
                tensor<double, 2>{{0, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 2, 0}, {0, 0, 0, 2}});
    variable<double, 1> w(x);
    const auto [g] = autograd::grad(f(w), ricci::tuple(w), {.create_graph = true});
    backward(sum(g));
    check_close(w.grad(), tensor<double, 1>{0, 54, 0, 42});
}
