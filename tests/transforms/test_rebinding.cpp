// x = e under transforms: loops that change a state, whatever the right side is under.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

/// Euler's steps for y' = a y from 1: (1 + a / 4)^3 after three of them; the loop's state takes maps, arrays and
/// numbers.
const auto steps = [](auto a) {
    auto y = lift(1.0, a), unused = y;
    for (int i = 0; i < 3; ++i) y = y + a * y / 4;
    unused = 2.0;
    unused = tensor<float, 0>(3.0F);
    unused = unused * 1.0F;
    return y * unused;
};
double slope(double a) { return 3 * 0.75 * (1 + a / 4) * (1 + a / 4); }
double curvature(double a) { return 3 * 0.375 * (1 + a / 4); }

}  // namespace

TEST_CASE("rebinding: a loop's state under grad, jvp, jet, vmap and their compositions") {
    const tensor<double, 1> a{0.5, -1, 2};
    const auto expected = [&](auto f) { return tensor<double, 1>{f(0.5), f(-1.0), f(2.0)}; };
    CHECK(grad(steps)(0.5).item() == doctest::Approx(slope(0.5)));
    CHECK(std::get<1>(jvp(steps, 0.5, 1.0)).item() == doctest::Approx(slope(0.5)));
    CHECK(grad(grad(steps))(0.5).item() == doctest::Approx(curvature(0.5)));
    CHECK(std::get<1>(std::get<1>(jet(steps, 0.5, ricci::tuple(1.0, 0.0)))).item() == doctest::Approx(curvature(0.5)));
    check_close(vmap(steps)(a), expected([](double t) { return 3 * (1 + t / 4) * (1 + t / 4) * (1 + t / 4); }));
    check_close(vmap(grad(steps))(a), expected(slope));
    check_close(grad([](auto v) { return sum(vmap(steps)(v)); })(a), expected(slope));
    check_close(vmap(grad(grad(steps)))(a), expected(curvature));
}
TEST_CASE("rebinding: a state under two transforms takes what is under one, or none") {
    const auto f = [](auto x) {
        return sum(vmap([x](auto t) {
            auto state = lift(x, t);
            state = x * x;
            state = state * t;
            return state;
        })(tensor<double, 1>{1, 2}));
    };
    CHECK(grad(f)(3.0).item() == doctest::Approx(18));  // 3 x^2
}
TEST_CASE("rebinding: what a lifted state is written to is its own") {
    const tensor<double, 1> start{1, 2}, p{0.5, 0.1};
    const auto grown = [start](auto rate) {
        auto y = lift(start, rate);
        for (int i = 0; i < 2; ++i) y += rate * y;
        return sum(y);
    };
    CHECK(double(grown(p)) == doctest::Approx(1.5 * 1.5 + 2 * 1.1 * 1.1));
    CHECK(double(grown(p)) == doctest::Approx(1.5 * 1.5 + 2 * 1.1 * 1.1));
    check_close(grad(grown)(p), tensor<double, 1>{3, 4.4});  // 2 (1 + p) start
    CHECK(array_equal(start, tensor<double, 1>{1, 2}));
    const auto shifted = [](auto x) {
        auto y = lift(x, x);
        y += 1.0;
        return sum(y * x);
    };
    CHECK(double(shifted(p)) == doctest::Approx(1.5 * 0.5 + 1.1 * 0.1));
    check_close(grad(shifted)(p), tensor<double, 1>{2, 1.2});
    const tensor<double, 1> tangent{1, 1};
    CHECK(double(std::get<1>(jvp(shifted, p, tangent))) == doctest::Approx(3.2));
    CHECK(array_equal(p, tensor<double, 1>{0.5, 0.1}));
}
TEST_CASE("rebinding: variables stay leaves when they are given a tensor, and become results when given one") {
    variable<double, 1> w = tensor<double, 1>{1, 2};
    const auto leaf = w;
    w = w * w;
    CHECK_FALSE(w.is_leaf());
    backward(sum(w));
    check_close(leaf.grad(), tensor<double, 1>{2, 4});
    w = tensor<double, 1>{5, 6};
    CHECK((w.is_leaf() && w.requires_grad()));
    backward(sum(w * w));
    check_close(w.grad(), tensor<double, 1>{10, 12});
}
