// Minima: Rosenbrock's valley, structures, how searches end, derivatives.
#include <doctest/doctest.h>
#include <ricci/solvers.hpp>

#include <string>

#include "../transforms/derivatives.hpp"

using namespace derivative_checks;
using optimize::minimize;

namespace {

const auto rosenbrock = [](auto x) {
    const auto a = x(slice(1, none)), b = x(slice(none, -1));
    return sum(100 * square(a - square(b)) + square(1 - b));
};
const auto quadratic = [](auto x, auto a, auto b) { return 0.5 * dot(x, matmul(a, x)) - dot(b, x); };
const tensor<double, 2> matrix{{4, 1, 0}, {1, 3, 1}, {0, 1, 2}};

}  // namespace

TEST_CASE("minimize: Rosenbrock's valley, of any history") {
    for (const index_t n : {2, 5, 30})
        for (const index_t history : {0, 1, 20, 1000}) {
            if (history == 0 && n > 2) continue;  // steepest descent takes thousands of steps
            const auto start = evaluate(zeros<double>({n}) - 1.2);
            const auto [x, value, status] =
                minimize(rosenbrock, start, {.gtol = 1e-8, .max_iterations = 100000, .history = history});
            CAPTURE(history);
            CHECK(status.converged);
            CHECK(status.message == std::string("converged"));
            // the Hessian's least eigenvalue is 0.4: an error of the gradient's 2.5 times
            check_close(x, ones<double>({n}), 1e-7);
            CHECK(value.item() < 1e-14);
            CHECK(status.evaluations > status.iterations);
            check_close(start, zeros<double>({n}) - 1.2);  // is left as it was
        }
    const auto single = minimize(rosenbrock, tensor<float, 1>{-1.2f, 1}, {.gtol = 1e-3});
    CHECK(single.status.converged);
    check_close(single.x, ones<float>({2}), 1e-2);
}
TEST_CASE("minimize: where rounding hides what steps gain it ends soon") {
    for (const auto& [seed, n] : {std::pair(75, 2), std::pair(4, 6), std::pair(79, 6)}) {
        const float size = seed == 4 ? 0.1f : 100;
        const auto [x, value, status] =
            minimize(rosenbrock, evaluate(size * randn<float>({n}, generator(seed))), {.gtol = 1e-7});
        CAPTURE(seed);
        CHECK(max(abs(grad(rosenbrock)(x))).item() < 1e-3);
        CHECK(status.evaluations < 400);
        if (!status.converged)
            CHECK(status.message == std::string("no step makes the value smaller in its precision"));
    }
}
TEST_CASE("minimize: structures, numbers, where the function is not finite") {
    const auto f = [](auto p) {
        const auto& [a, b] = p;
        return sum(square(a - 2)) + square(b + sum(a)) + 1;
    };
    const auto [x, value, status] = minimize(f, ricci::tuple(zeros<double>({2, 2}), 1.0));
    check_close(std::get<0>(x), full({2, 2}, 2.0), 1e-5);
    CHECK(std::get<1>(x).item() == doctest::Approx(-8).epsilon(1e-5));
    CHECK(value.item() == doctest::Approx(1));
    const auto barrier = minimize([](auto z) { return z - log(z); }, 10.0, {.gtol = 1e-9});
    CHECK(barrier.x.item() == doctest::Approx(1).epsilon(1e-8));
    CHECK_THROWS_WITH_AS(minimize([](auto z) { return log(z); }, -1.0),
                         "[minimize] the function and its gradient must be finite at the start", value_error);
}
TEST_CASE("minimize: how it ends") {
    const auto few = minimize(rosenbrock, tensor{-1.2, 1.0}, {.max_iterations = 3});
    CHECK(!few.status.converged);
    CHECK(few.status.iterations == 3);
    CHECK(few.status.message == std::string("as many iterations as were allowed"));
    CHECK(few.value.item() < 24.2);  // where it began
    const auto endless = minimize([](auto x) { return sum(x); }, tensor{1.0, 2.0}, {.max_iterations = 50});
    CHECK(!endless.status.converged);
    // a kink has no place where the gradient vanishes
    const auto kink = minimize([](auto x) { return maximum(x - 0.3, 0.6 - 2 * x); }, 1.0);
    CHECK(!kink.status.converged);
    CHECK(kink.x.item() == doctest::Approx(0.3).epsilon(1e-6));
    const auto rough = minimize(rosenbrock, tensor{-1.2, 1.0}, {.gtol = 0, .ftol = 1e-3});
    CHECK(rough.status.converged);
    CHECK(rough.status.message == std::string("the value falls no further than by ftol"));
}
TEST_CASE("minimize: derivatives of the minimum and of its value") {
    const tensor<double, 1> b{1, 2, 3};
    const auto x_of = [](auto m, auto right) {
        return minimize(quadratic, zeros<double>({3}), {.gtol = 1e-10}, m, right).x;
    };
    const auto inverse = linalg::inv(matrix);
    check_close(x_of(matrix, b), matmul(inverse, b), 1e-9);
    const auto [by_a, by_b] = jacrev(x_of, argnums<0, 1>)(matrix, b);
    check_close(by_b, inverse, 1e-9);
    // half a (x^T dA x) has the symmetric part of dA alone
    const auto x = matmul(inverse, b);
    const auto outer_ = evaluate(einsum<"ij,k->ijk">(inverse, x));
    check_close(by_a, -0.5 * (outer_ + permute(outer_, {0, 2, 1})), 1e-9);
    check_close(jacfwd(x_of, argnums<1>)(matrix, b), inverse, 1e-9);
    // that of the value is b's: d(-b A^-1 b / 2) = -x, at any order
    const auto value_of = [](auto right) {
        return minimize(quadratic, zeros<double>({3}), {.gtol = 1e-10}, matrix, right).value;
    };
    check_close(grad(value_of)(b), -x, 1e-9);
    check_close(hessian(value_of)(b), -inverse, 1e-8);
    const auto silent = set_vmap_fallback(vmap_fallback::silent);
    const auto many = stack({b, evaluate(2 * b)});
    check_close(vmap([&](auto right) { return x_of(matrix, right); })(many), stack({x, evaluate(2 * x)}), 1e-9);
    set_vmap_fallback(silent);
}
