// Leaves and subexpressions that occur many times.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 1> x1{0.3, -0.7, 1.1};

}  // namespace

TEST_CASE("repeated: a leaf that occurs many times") {
    const auto g = grad([](auto x) { return sum(x * exp(-x * x) / (1 + x * x)); })(x1);
    for (int i = 0; i < 3; ++i) {
        const double x = x1.at(i), q = 1 + x * x;
        CHECK(g.at(i) == doctest::Approx(std::exp(-x * x) * (1 - 2 * x * x - 2 * x * x / q) / q).epsilon(1e-14));
    }
}
TEST_CASE("repeated: two leaves, each more than once") {
    check_first_order([](auto a, auto b) { return a * b * a + sin(b * a) / (b + 3); }, x1, spread({3}));
}
TEST_CASE("repeated: an expression that repeats itself ten deep") {
    // h -> h * h / 4 + h / 2: as a tree it would have 3^10 leaves
    auto f = [](auto x) {
        auto step = [](const auto& h) { return evaluate(h * h / 4 + h / 2); };
        return sum(step(step(step(step(step(step(step(step(step(step(x)))))))))));
    };
    auto lazy = [](auto x) {
        auto step = [](const auto& h) { return h * h / 4 + h / 2; };
        return sum(step(step(step(step(step(step(step(step(step(step(x)))))))))));
    };
    auto expected = zeros<double>({3});
    for (int i = 0; i < 3; ++i) {
        double h = x1.at(i), slope = 1;
        for (int k = 0; k < 10; ++k) {
            slope *= h / 2 + 0.5;
            h = h * h / 4 + h / 2;
        }
        expected.data()[i] = slope;
    }
    check_close(grad(f)(x1), expected);
    check_close(grad(lazy)(x1), expected);
    check_close(std::get<1>(jvp(lazy, x1, ones<double>({3}))), sum(expected));
}
TEST_CASE("repeated: a loop of a thousand recorded steps") {
    auto f = [](auto x) {
        auto h = evaluate(x * 1);
        for (int k = 0; k < 1000; ++k) h = evaluate(h + 0.001 * sin(h));
        return sum(h);
    };
    const double h = 1e-5;
    const double up = f(evaluate(x1(slice(0, 1)) + h)).item(), down = f(evaluate(x1(slice(0, 1)) - h)).item();
    CHECK(grad(f)(x1).at(0) == doctest::Approx((up - down) / (2 * h)).epsilon(1e-8));
}
TEST_CASE("repeated: in sums whose value is known before the way back, or not") {
    for (const index_t n : {1, 3, 4, 7, 37}) {
        tensor<double, 3> x = reshape(remainder(arange(6 * n), 5) - 2.0, {2, 3, n});  // small integers: all is exact
        for (int axis = 0; axis < 3; ++axis) {
            const auto squares = sum(x * x, axis, keepdims);
            const auto known = [axis](const auto& v) { return sum(square(evaluate(sum(v * v, axis)))); };
            const auto [value, bar] = value_and_grad(known)(x);
            CHECK(value.item() == evaluate(sum(square(squares))).item());
            CHECK(all(bar == 4.0 * x * squares).item());
        }
    }
    for (const index_t n : {5, 1000, 40001}) {
        tensor<double, 1> x = remainder(arange(n), 5) - 2.0;
        const auto [value, bar] = value_and_grad([](const auto& v) { return sum(v * v); })(x);
        CHECK(value.item() == evaluate(sum(square(x))).item());
        CHECK(all(bar == 2.0 * x).item());
    }
}
TEST_CASE("repeated: in sums whose third derivatives are asked for") {
    for (const index_t n : {3, 4, 9, 37}) {
        const tensor<double, 1> a = remainder(arange(n), 5) - 1.0, b = remainder(arange(n), 4) - 1.0;
        const double ab = sum(a * b).item();
        const tensor<double, 0> t = 0.25;  // all is exact
        const auto product = [&](const auto& s) { return evaluate(sum(evaluate(s * a) * evaluate(s * b))); };
        const auto cube = [&](const auto& s) { return evaluate(product(s) * s); };
        const auto fourth = [&](const auto& s) { return evaluate(square(product(s))); };
        CHECK(grad(grad(grad(cube)))(t).item() == 6 * ab);
        CHECK(grad(grad(grad(fourth)))(t).item() == 6 * ab * ab);
        const tensor<double, 0> one = 1.0;
        CHECK(std::get<1>(jvp(grad(grad(fourth)), std::make_tuple(t), std::make_tuple(one))).item() == 6 * ab * ab);
    }
}
