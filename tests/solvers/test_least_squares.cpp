// Least squares and roots: closed forms, structures, how searches end, derivatives.
#include <doctest/doctest.h>
#include <ricci/solvers.hpp>

#include <string>

#include "../transforms/derivatives.hpp"

using namespace derivative_checks;
using optimize::least_squares, optimize::root;

namespace {

tensor<double, 1> row(const tensor<double, 2>& a, index_t i) { return a(i); }
const auto decay = [](auto t, auto p) { return p(0) * exp(-p(1) * t) + p(2); };
const tensor<double, 1> places{0, 1, 2, 3, 4, 5, 6, 7}, data{5.1, 3.4, 2.6, 1.7, 1.4, 1.2, 0.9, 1.0};

}  // namespace

TEST_CASE("least_squares: Rosenbrock's valley, structures, ends") {
    const auto valley = [](auto x) { return stack(ricci::tuple(10 * (x(1) - square(x(0))), 1 - x(0))); };
    const auto [x, residuals, cost, status] = least_squares(valley, tensor{-1.2, 1.0});
    CHECK(status.converged);
    check_close(x, ones<double>({2}), 1e-10);
    check_close(residuals, zeros<double>({2}), 1e-10);
    CHECK(cost.item() < 1e-20);
    CHECK(!least_squares(valley, tensor{-1.2, 1.0}, {.max_iterations = 3}).status.converged);
    // residuals in a tuple; fewer than unknowns
    const auto pair =
        least_squares([](auto p) { return ricci::tuple(p(0) + p(1) - 3, square(p(2)) - 4); }, tensor{0.0, 0.0, 1.0});
    CHECK(pair.status.converged);
    CHECK(sum(pair.x).item() == doctest::Approx(5));
    // a column of zeros, and a residual that stays
    const auto flat =
        least_squares([](auto p) { return stack(ricci::tuple(p(0) - 1, p(0) - 3 + 0 * p(1))); }, tensor{0.0, 7.0});
    CHECK(flat.status.converged);
    check_close(flat.x, tensor{2.0, 7.0}, 1e-9);
    CHECK(flat.cost.item() == doctest::Approx(1));
    CHECK_THROWS_WITH_AS(least_squares([](auto z) { return log(z); }, tensor{-1.0}),
                         "[least_squares] the residuals must be finite at the start", value_error);
}
TEST_CASE("least_squares: a step to where the Jacobian is not finite was too long") {
    // far out the curve is flat: the first step leads to where exp(-p) is infinite, the residual small, its slope NaN
    const auto [x, residuals, cost, status] =
        least_squares([](auto p) { return 2 / (1 + exp(-p)) - 0.2; }, tensor{20.0});
    CHECK(status.converged);
    check_close(x, tensor{-std::log(9.0)}, 1e-9);
    const auto nowhere = least_squares([](auto p) { return sqrt(p) - 1; }, tensor{0.0});
    CHECK(!nowhere.status.converged);
    CHECK(nowhere.status.message == std::string("the Jacobian is not finite at the start"));
}
TEST_CASE("least_squares: derivatives with large residuals have the whole Hessian") {
    const auto x_of = [](auto y) {
        return least_squares([](auto p, auto target) { return decay(places, p) - target; }, tensor{4.0, 0.5, 1.0},
                             {.xtol = 0}, y)
            .x;
    };
    const auto far = evaluate(data + spread({8}));
    const auto by_data = jacrev(x_of)(far);
    for (index_t i = 0; i < 8; ++i)
        check_close(by_data(all, i), difference(x_of, std::make_tuple(far), std::make_tuple(row(eye<double>(8), i))),
                    1e-6);
    check_close(jacfwd(x_of)(far), by_data, 1e-8);
}
TEST_CASE("root: values, derivatives, what is none") {
    const auto [x, status] = root([](auto z) { return cos(z) - z; }, 1.0);
    CHECK(status.converged);
    CHECK(x.item() == doctest::Approx(0.7390851332151607).epsilon(1e-14));
    const auto circle = [](auto p, auto radius) {
        const auto& [a, b] = p;
        return ricci::tuple(square(a) + square(b) - square(radius), a - 2 * b);
    };
    const auto meet = [=](auto radius) { return root(circle, ricci::tuple(1.0, 1.0), {}, radius); };
    const tensor<double, 0> radius(3.0);
    CHECK(std::get<1>(meet(radius).x).item() == doctest::Approx(3 / std::sqrt(5)).epsilon(1e-13));
    const auto y_of = [=](auto r) { return std::get<1>(meet(r).x); };
    CHECK(grad(y_of)(radius).item() == doctest::Approx(1 / std::sqrt(5)).epsilon(1e-12));
    CHECK(std::abs(grad(grad(y_of))(radius).item()) < 1e-12);
    const auto none_there = root([](auto z) { return square(z) + 1; }, 3.0);
    CHECK(!none_there.status.converged);
    CHECK(none_there.status.message == std::string("a minimum of the equations' squares that is no root"));
    CHECK(root([](auto z) { return square(z); }, 1e-3).x.item() < 1e-4);  // twice: found slowly
    CHECK_THROWS_WITH_AS(root([](auto z) { return z(slice(1, none)); }, ones<double>({3})),
                         "[root] 2 equations of 3 unknowns", shape_error);
}
