// grad, value_and_grad, vjp and jvp themselves: arguments, results, refusals.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 1> x1{0.3, -0.7, 1.1};

}  // namespace

TEST_CASE("gradients: the same array for two arguments is two arguments") {
    const auto [y, pull] = vjp([](auto a, auto b) { return a * a * b; }, x1, x1);
    const auto [a_bar, b_bar] = pull(ones<double>({3}));
    check_close(a_bar, 2 * x1 * x1);
    check_close(b_bar, x1 * x1);
    check_close(grad([](auto a, auto b) { return sum(a * a * b); })(x1, x1), 2 * x1 * x1);
}
TEST_CASE("gradients: a function that does not depend on its argument") {
    check_close(grad([](auto) { return sum(x1 * x1); })(x1), zeros<double>({3}));
    check_close(grad([](auto x) { return sum(0 * x); })(x1), zeros<double>({3}));
    const auto [y, pull] = vjp([](auto a, auto b) { return a * 2 + 0 * sum(b); }, x1, spread({2}));
    check_close(std::get<1>(pull(x1)), zeros<double>({2}));
    const auto [unused, pull2] = vjp([](auto a, auto) { return evaluate(2 * a); }, x1, spread({2}));
    check_close(std::get<0>(pull2(x1)), 2 * x1);
    check_close(std::get<1>(pull2(x1)), zeros<double>({2}));
    const auto [value, slope] = jvp([](auto) { return evaluate(2 * x1); }, spread({2}), spread({2}));
    check_close(slope, zeros<double>({3}));
    check_close(hessian([](auto x) { return sum(2 * x); })(x1), zeros<double>({3, 3}));
    check_close(grad([](auto x) { return sum(grad([](auto v) { return sum(v); })(x)); })(x1), zeros<double>({3}));
}
TEST_CASE("gradients: the identity and an unused intermediate value") {
    const auto [y, pull] = vjp([](auto x) { return x; }, x1);
    check_close(pull(2 * x1), 2 * x1);
    check_close(pull(x1), x1);  // again, from scratch
    check_close(grad([](auto x) {
                    const auto unused = evaluate(log(x));
                    return sum(x * x);
                })(x1),
                2 * x1);
}
TEST_CASE("gradients: value_and_grad") {
    const auto [value, slope] = value_and_grad([](auto x) { return sum(x * x); })(x1);
    CHECK(value.item() == doctest::Approx(1.79).epsilon(1e-14));
    check_close(slope, 2 * x1);
    const auto [mean_value, mean_slope] = value_and_grad([](auto a, auto b) { return mean(a * b); })(x1, 3.0);
    CHECK(mean_value.item() == doctest::Approx(0.7).epsilon(1e-14));
    check_close(mean_slope, ones<double>({3}));
    const auto [v, s] = value_and_grad([](auto x) { return x * x * x; })(2);  // a C++ number
    CHECK(v.item() == 8);
    CHECK(s.item() == 12);
}
TEST_CASE("gradients: shapes that do not match are refused") {
    const auto pair = vjp([](auto x) { return x * x; }, x1);
    CHECK_THROWS_AS(std::get<1>(pair)(spread({2})), shape_error);
    CHECK_THROWS_AS(jvp([](auto x) { return x * x; }, x1, spread({2})), shape_error);
    CHECK_THROWS_AS(jvp([](auto a, auto b) { return a * b; }, ricci::tuple(x1, x1), ricci::tuple(x1, spread({1}))),
                    shape_error);
    CHECK_THROWS_WITH_AS(hvp([](auto x) { return sum(x * x); }, x1, spread({4})),
                         "[hvp] the tangent's shape (4,) is not the primal's (3,)", shape_error);
    check_close(std::get<1>(pair)(x1), 2 * x1 * x1);  // and nothing has been spoilt
}
TEST_CASE("gradients: a value that changed in place after it was recorded is refused") {
    auto k = x1.clone();
    const auto pair = vjp([k](auto x) { return k * x; }, x1);
    check_close(std::get<1>(pair)(ones<double>({3})), x1);
    k *= 2.0;
    CHECK_THROWS_AS(std::get<1>(pair)(ones<double>({3})), gradient_error);
    auto x = x1.clone();
    const auto squares = vjp([](auto v) { return v * v; }, x);
    x(0) = 5.0;
    CHECK_THROWS_AS(std::get<1>(squares)(ones<double>({3})), gradient_error);
}
TEST_CASE("gradients: a value that is put off is not taken from what overwrote its argument") {
    auto k = x1.clone();
    double seen = 0;
    auto f = [&](auto x) {
        const auto s = sum(k * x);
        k *= 2.0;
        seen = s.item();
        return s;
    };
    try {
        grad(f)(x1);
    } catch (const gradient_error&) {
        return;  // refused
    }
    CHECK(seen == doctest::Approx(1.79).epsilon(1e-14));
}
TEST_CASE("map: the user's function mixes its argument with C++'s numbers, on registers, duals and tapes") {
    const tensor<double, 1> x{1, 2, 3};
    const auto check = [&](auto f, auto expected) {
        const auto both = value_and_grad([&](auto v) { return sum(map(f, v)); })(x);
        const auto exact = value_and_grad([&](auto v) { return sum(expected(v)); })(x);
        CHECK(array_equal(map(f, x), tensor<double, 1>(expected(x))));
        CHECK(std::get<0>(both).item() == doctest::Approx(std::get<0>(exact).item()).epsilon(1e-14));
        CHECK(allclose(std::get<1>(both), std::get<1>(exact), 1e-14, 1e-14));
        CHECK(allclose(hessian([&](auto v) { return sum(map(f, v)); })(x),
                       hessian([&](auto v) { return sum(expected(v)); })(x), 1e-13, 1e-13));
    };
    const auto both = [&](auto f) { check(f, f); };  // a generic function of numbers is one of arrays
    both([](auto t) { return maximum(t, 1.5) + minimum(2, t) * fmax(t, 1); });
    both([](auto t) { return atan2(t, 1) + hypot(3, t) + copysign(t, -1) + logaddexp(t, 1) + xlogy(t, 2); });
    both([](auto t) { return clip(t, 1.5, 2.5) * lerp(t, 2, 0.5) + pow(t, 2) + pow(2, t) + pow(t, 0.5); });
    both([](auto t) { return where(t > 1.5, t, 0) * where(t > 2.5, 1, 0.5); });
    CHECK(array_equal(map([](auto t) { return where(t > 1.5, 1, 0); }, x), tensor<int, 1>{0, 1, 1}));
    CHECK(array_equal(map([](auto t) { return maximum(t, 2) + 1; }, tensor<int, 1>{1, 2, 3}), tensor<int, 1>{3, 3, 4}));
}
TEST_CASE("numbers: of several types, and two integers to a power, as C++ has them") {
    CHECK(ricci::pow(10, -3) == 1e-3);
    CHECK(ricci::pow(10, 10) == 1e10);
    CHECK(ricci::pow(2.5, 2) == 6.25);
    CHECK(ricci::maximum(1, 2.5) == 2.5);
    CHECK(ricci::minimum(1.5f, 1) == 1);
    CHECK(ricci::hypot(3, 4.0) == 5);
    CHECK(ricci::atan2(1, 2.0) == std::atan2(1.0, 2.0));
    CHECK(ricci::remainder(-5.0, 3) == 1);
    CHECK(ricci::clip(0.5, 0, 1) == 0.5);
    CHECK(ricci::floor_divide(7, 2.0) == 3);
    CHECK(ricci::copysign(1, -2.0) == -1);
    CHECK(array_equal(map([](auto t) { return t * ricci::pow(10, -3); }, tensor<double, 1>{1, 2}),
                      tensor<double, 1>{1e-3, 2e-3}));
}
