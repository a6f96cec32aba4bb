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
    CHECK_THROWS_AS(jvp([](auto a, auto b) { return a * b; }, ricci::tuple(x1, x1), ricci::tuple(x1, spread({1}))), shape_error);
    CHECK_THROWS_AS(hvp([](auto x) { return sum(x * x); }, x1, spread({4})), shape_error);
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
