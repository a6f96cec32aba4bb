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
    check_close(grad([](auto anomaly, auto eccentricity) { return sum(kepler(anomaly, eccentricity)); }, argnums<1>)(m, e), sum(sin(x) * slope));
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
