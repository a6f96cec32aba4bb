// linearize: the value and the derivative as a linear function, against jvp, vjp and closed forms.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto x0 = spread({4}), v0 = spread({4}, 5), w0 = spread({4}, 9);
const auto f = [](auto a, auto b) { return sin(a) * b(0) + sum(a * b); };

}  // namespace

TEST_CASE("linearize: value and tangents") {
    const auto [y, push] = linearize([](auto x) { return x * exp(x); }, x0);
    check_close(y, x0 * exp(x0));
    check_close(push(v0), (1 + x0) * exp(x0) * v0);
    check_close(push(2 * v0 - w0), 2 * push(v0) - push(w0));
    const auto [z, slope] = linearize([](auto s) { return s * s; }, 3.0);
    CHECK(z.item() == 9);
    CHECK(slope(0.5).item() == 3);
}
TEST_CASE("linearize: several arguments, and the transpose is the pullback") {
    const auto [y, push] = linearize(f, x0, w0);
    check_close(y, f(x0, w0));
    const auto y_dot = evaluate(push(v0, x0));
    check_close(y_dot, cos(x0) * v0 * w0(0) + sin(x0) * x0(0) + sum(v0 * w0 + x0 * x0));
    const auto pull = std::get<1>(vjp(push, zeros_like(x0), zeros_like(w0)));
    const auto [a_bar, b_bar] = pull(v0);
    const auto [a_same, b_same] = std::get<1>(vjp(f, x0, w0))(v0);
    check_close(a_bar, a_same);
    check_close(b_bar, b_same);
}
TEST_CASE("linearize: the function runs once for the value and once for each tangent") {
    int calls = 0;
    const auto [y, push] = linearize([&calls](auto x) { return ++calls, sin(x); }, x0);
    CHECK(calls == 1);
    push(v0);
    CHECK(calls == 2);
    check_close(y, sin(x0));
}
TEST_CASE("linearize: under vmap and grad; structures") {
    const auto push = std::get<1>(linearize([](auto x) { return x * x * x; }, x0));
    check_close(vmap(push)(eye<double>(4)), eye<double>(4) * 3 * x0 * x0);
    auto g = [](auto x) { return sum(std::get<1>(linearize([](auto u) { return u * u * u; }, x))(v0)); };
    check_close(grad(g)(x0), 6 * x0 * v0);
    const auto [y, tangent] =
        linearize([](const auto& t) { return std::get<0>(t) * std::get<1>(t); }, std::tuple(x0, w0));
    check_close(y, x0 * w0);
    check_close(tangent(std::tuple(v0, x0)), v0 * w0 + x0 * x0);
}
TEST_CASE("linearize, vjp: what runs the function again refuses arguments that were written to since") {
    const auto square = [](auto v) { return v * v; };
    tensor<double, 1> x{1, 2};
    const auto [y, push] = linearize(square, x);
    const auto [z, pull] = vjp(square, x);
    const auto rows = eye<double>(2);
    CHECK(array_equal(push(ones<double>({2})), 2.0 * x));
    CHECK(array_equal(vmap(pull)(rows), 2.0 * diag(x)));
    x += 1.0;
    CHECK_THROWS_WITH_AS(push(ones<double>({2})),
                         "[linearize] an argument was changed in place after the function was recorded",
                         gradient_error);
    CHECK_THROWS_WITH_AS(vmap(pull)(rows), "[vjp] an argument was changed in place after the function was recorded",
                         gradient_error);
}
TEST_CASE("linearize: each push draws the numbers of the value") {
    generator g(2);
    const tensor<double, 1> x{1, 2};
    const auto [y, push] = linearize([&g](auto v) { return v * rand_like(v, g); }, x);
    CHECK(allclose(push(x), y, 1e-14));
    CHECK(allclose(push(x), y, 1e-14));
}
TEST_CASE("linearize, vjp: a batch of directions meets the numbers that the value drew, whatever vmap's options") {
    generator g(2);
    const tensor<double, 1> x{1, 2, 3};
    const auto dropped = [&g](auto v) { return v * rand_like(v, g); };
    const auto [y, pull] = vjp(dropped, x);
    const auto expected = diag(evaluate(y / x));
    CHECK(allclose(vmap(pull)(eye<double>(3)), expected, 1e-14));
    CHECK(allclose(vmap(pull, {.randomness = randomness::different})(eye<double>(3)), expected, 1e-14));
    const auto [z, push] = linearize(dropped, x);
    CHECK(allclose(vmap(push, {.randomness = randomness::different})(eye<double>(3)), diag(evaluate(z / x)), 1e-14));
}
