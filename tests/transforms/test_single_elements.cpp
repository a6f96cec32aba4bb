// Single elements of arrays under transforms: named many times, written in between, of maps, in other threads; and
// linear combinations of sums, whose values no derivative asks for.
#include <limits>
#include <thread>

#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 1> x3{0.3, -0.7, 1.1};
const auto x12 = spread({12});
const auto grid = spread({3, 4}, 2);

}  // namespace

TEST_CASE("single elements: named many times") {
    const auto f = [](auto x) { return sin(x(0)) * x(1) + x(0) * x(0) / (2 + x(1) * x(2)) - exp(x(0) - x(-1)); };
    check_orders(f, x3);
    check_matrices(f, x3);
    check_orders([](auto x) { return x(1, 2) * x(1, 2) * x(-2, -2) + cos(x(0, 0)) * x(1)(2) + x(all, 2)(1); }, grid);
    // more of them than are remembered, in turn
    const auto many = [](auto x) {
        auto s = evaluate(x(0) * x(99));
        for (int k = 0; k < 300; ++k) s = s + x(k % 100) * x(7 * k % 100) * 0.01;
        return s;
    };
    check_first_order(many, spread({100}));
    check_close(vmap(grad(f))(stack(ricci::tuple(x3, 2 * x3))),
                stack(ricci::tuple(grad(f)(x3), grad(f)(evaluate(2 * x3)))));
}
TEST_CASE("single elements: one vertex for each under grad and vjp, one for each name of a variable") {
    bool same = false, others = true;
    grad([&](auto x) {
        const auto a = x(1), b = x(-2), c = x(2);
        same = a.owner() == b.owner();
        others = a.owner() != c.owner() && a.owner() != evaluate(x + 0)(1).owner();
        return a * b * c;
    })(x3);
    CHECK(same);
    CHECK(others);
    variable<double, 1> w = x3.clone();
    const variable<double, 0> a = w(0), b = w(0);
    CHECK(a.owner() != b.owner());
    a.retain_grad();
    b.retain_grad();
    backward(evaluate(2 * a + 3 * b));
    CHECK(a.grad().item() == 2);
    CHECK(b.grad().item() == 3);
    CHECK(w.grad().at(0) == 5);
}
TEST_CASE("single elements: of what is written in between") {
    const auto steps = [](auto x) {
        auto y = evaluate(x * x);
        auto s = evaluate(y(0) * 2);
        y(0) = y(0) * y(1);
        s = s + y(0) * y(0);
        y(1) = sin(y(0)) + y(2);
        s = s + y(0) * y(1);
        y += x;
        s = s + y(0) * y(1) * y(-1);
        for (int t = 1; t < x.size(); ++t) y(t) = 0.5 * y(t - 1) + x(0) * y(t);
        return s + sum(y);
    };
    check_orders(steps, x3);
    check_orders(steps, x12);
    // a part that has a name keeps its value, and the array's is another one
    check_first_order(
        [](auto x) {
            auto y = x.clone();
            y(1) = x(0) * 2;
            const auto before = evaluate(y(0) * 1);
            y(0) = before * before;
            return before * y(0) + y(1) * y(1);
        },
        x12);
    // an argument's memory that is written by another name between two views of one element
    const auto x = x12.clone();
    const auto g = grad([&](auto v) {
        const double before = v(0).item();
        x(0) = 2.0;
        return v(0) * v(0) + before * v(1);
    })(x);
    CHECK(g.at(0) == 4);
    CHECK(g.at(1) == x12.at(0));
}
TEST_CASE("single elements: of maps") {
    const auto f = [](auto x) { return (x * x + 2 * x)(1) * sin(x + 1)(-1) + (x(0) * x)(2) * (3 - x)(0); };
    check_orders(f, x3);
    check_matrices(f, x3);
    const auto wide = [](auto x, auto y) {
        return (x(all, newaxis) * y + y)(2, 1) * sin(x(all, newaxis) - y)(0, 3) + (x + y(1))(1);
    };
    check_first_order(wide, x3, spread({4}, 3));
    check_first_order([](auto x) { return (grid * x)(1, 2) * (x + grid)(2, 0) + (x > 0.0)(1) * x(1); }, spread({4}));
    CHECK_THROWS_AS(grad([](auto x) { return (x * x)(3); })(x3), index_error);
    variable<double, 1> w = x3.clone();
    backward((w * w)(1) * (w + 1)(0));
    check_close(w.grad(), tensor<double, 1>{0.49, 2 * -0.7 * 1.3, 0});
    const auto [g] = autograd::grad((w * w * w)(2), ricci::tuple(w), {.create_graph = true});
    CHECK(std::get<0>(autograd::grad(g(2), ricci::tuple(w))).value().at(2) == doctest::Approx(6.6));
}
TEST_CASE("single elements: in other threads") {
    for (int i = 0; i < 20; ++i) {
        const auto g = grad([](auto x) {
            auto there = evaluate(x(0) * 1);
            std::thread other([&] { there = evaluate(sin(x(0)) * x(1) * x(1)); });
            const auto here = evaluate(x(0) * x(1) * x(0));
            other.join();
            return here + there * x(0);
        })(x3);
        const double a = x3.at(0), b = x3.at(1);
        CHECK(g.at(0) == doctest::Approx(2 * a * b + b * b * (std::sin(a) + a * std::cos(a))).epsilon(1e-14));
        CHECK(g.at(1) == doctest::Approx(a * a + 2 * a * b * std::sin(a)).epsilon(1e-14));
    }
}
TEST_CASE("sums: combined linearly, by a function whose value is asked for or not") {
    const auto f = [](auto x) { return 0.5 * sum(x * x) - sum(exp(x)) / 4 + 3 - mean(sin(x)) * 2; };
    for (const auto& x : {x3, x12}) {
        check_orders(f, x);
        check_reverse_twice(f, x);
        const auto expected = evaluate(x - exp(x) / 4 - 2 * cos(x) / double(x.size()));
        check_close(grad(f)(x), expected);
        const auto [value, slope] = value_and_grad(f)(x);
        check_close(slope, expected);
        check_close(value, f(x));
        const auto [y, pull] = vjp(f, x);
        check_close(y, f(x));
        check_close(pull(tensor<double, 0>(2.0)), evaluate(2 * expected));
        check_close(vmap(grad(f))(stack(ricci::tuple(x, -x)))(0), expected);
    }
    // the same in a sum of its own, whose gradient comes with its value
    const auto again = [](auto x) { return sum(0.5 * sum(x * x) - sum(exp(x)) / 4); };
    check_orders(again, x3);
    check_close(std::get<0>(value_and_grad(again)(x3)), again(x3));
    variable<double, 1> p = x3.clone();
    const auto loss = sum(0.5 * sum(p * p) - sum(exp(p)) / 4);
    loss.backward();
    check_close(loss.value(), again(x3));
    // of sums that overflow the derivatives are finite
    const auto large = grad([](auto x) { return -sum(x * x) + 2 * sum(x); })(tensor<double, 1>{1e200, 1});
    CHECK(large.at(0) == -2e200);
    CHECK(large.at(1) == 0);
    // a product of sums asks for both
    check_orders([](auto x) { return 2 * sum(x * x) * sum(sin(x)) + sum(x); }, x3);
}
