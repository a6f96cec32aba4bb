// Derivatives of fixed points: Kepler's equation; a linear solver of one's own.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

// E = M + e sin(E) for each mean anomaly M
const auto kepler = custom_fixed_point([](auto x, auto m, auto e) { return m + e * sin(x); },
                                       [](auto m, auto e) {
                                           auto x = evaluate(m * 1.0);
                                           for (int i = 0; i < 200; ++i) x = evaluate(m + e * sin(x));
                                           return x;
                                       });

}  // namespace

TEST_CASE("custom_fixed_point: Kepler's equation") {
    const auto m = evaluate(spread({4}) + 1.5);
    const tensor<double, 0> e(0.3);
    const auto x = kepler(m, e);
    check_close(x - e * sin(x), m);
    const auto slope = evaluate(1 / (1 - e * cos(x)));
    check_close(jacrev(kepler)(m, e), eye<double>(4) * slope);
    check_close(jacfwd(kepler)(m, e), eye<double>(4) * slope);
    check_close(
        grad([](auto anomaly, auto eccentricity) { return sum(kepler(anomaly, eccentricity)); }, argnums<1>)(m, e),
        sum(sin(x) * slope));
    auto total = [e](auto v) { return sum(kepler(v, e)); };
    const auto v = spread({4}, 8);
    check_close(hvp(total, m, v), -e * sin(x) * slope * slope * slope * v);
    check_close(vmap(kepler, in_axes(0, none))(m, e), x);
    check_close(vmap(grad(kepler), in_axes(0, none))(m, e), slope);
}
TEST_CASE("custom_fixed_point: a linear solver of one's own") {
    // the Jacobian of Kepler's step is diagonal: its product with ones is the diagonal
    const auto diagonal = [](const auto& matvec, const auto& b) {
        return evaluate(b / matvec(ones<double>(b.shape())));
    };
    const auto fast = custom_fixed_point([](auto x, auto m) { return m + 0.3 * sin(x); },
                                         [](auto m) { return kepler(m, 0.3); }, diagonal);
    const auto m = evaluate(spread({50}) + 1.5);
    const auto x = fast(m);
    const auto slope = evaluate(1 / (1 - 0.3 * cos(x)));
    auto total = [&](auto v) { return sum(fast(v)); };
    check_close(grad(total)(m), slope);
    check_close(std::get<1>(jvp(fast, m, m)), slope * m);
    check_close(hvp(total, m, m), -0.3 * sin(x) * slope * slope * slope * m);
}
TEST_CASE("custom_fixed_point: a matrix, whose equations exchange rows (the discrete Riccati equation)") {
    const tensor<double, 2> a{{1, 0.1}, {-0.02, 1}}, b{{0}, {0.1}}, q = eye<double>(2);
    const auto riccati_step = [=](auto p, auto r) {
        const auto bp = evaluate(matmul(b.T(), p));
        const auto gain = linalg::solve(evaluate(matmul(bp, b) + r * eye<double>(1)), matmul(bp, a));
        return evaluate(q + matmul(a.T(), matmul(p, evaluate(a - matmul(b, gain)))));
    };
    const auto iterate = [=](auto r) {
        auto p = lift(q, r);
        for (int i = 0; i < 600; ++i) p = riccati_step(p, r);
        return p;
    };
    const auto riccati = custom_fixed_point(riccati_step, iterate);
    const tensor<double, 1> x{1, -0.5};
    const auto cost = [=](auto r) { return dot(x, matmul(riccati(r), x)); };
    const tensor<double, 0> r(0.5);
    const double slope = 1.87977496768;  // by SciPy's solve_discrete_are and solve_discrete_lyapunov
    CHECK(grad(cost)(r).item() == doctest::Approx(slope).epsilon(1e-10));
    CHECK(std::get<1>(jvp(cost, r, tensor<double, 0>(1))).item() == doctest::Approx(slope).epsilon(1e-10));
}
TEST_CASE("custom_root: equations whose matrix is a permutation's") {
    const tensor<double, 2> m{{0, 0, 2, 1}, {3, 0, 0, 0.5}, {0, 1, 0, 0.25}, {1, 2, 3, 0}};
    const auto root =
        custom_root([=](auto x, auto t) { return matmul(m, x) - t; }, [=](auto t) { return linalg::solve(m, t); });
    const tensor<double, 1> t{1, 2, 3, 4};
    check_close(jacrev(root)(t), linalg::inv(m));
    check_close(jacfwd(root)(t), linalg::inv(m));
}
